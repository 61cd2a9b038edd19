/** So much of an id as tells it apart, and is enough to be typed. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}
