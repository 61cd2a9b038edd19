/** The JSON Pointer (RFC 6901) of a member inside the value that `parent` points at. */
export function memberPointer(parent: string, key: PropertyKey): string {
  return `${parent}/${String(key).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`
}
