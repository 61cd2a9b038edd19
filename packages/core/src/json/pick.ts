/** The named fields, where the object has them. */
export function pick<From extends object, Name extends keyof From>(from: From, ...names: Name[]): Pick<From, Name> {
  const picked: Partial<From> = {}
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name]
  return picked as Pick<From, Name>
}
