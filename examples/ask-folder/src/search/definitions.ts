/** A name of several parts: `maxRetries`, `MAX_RETRIES`. */
const compound = /\b(?=\w*(?:[a-z][A-Z]|\w_\w))[A-Za-z]\w+\b/g
/** `const maxRetries = 3`, `MAX_RETRIES: Final = 3`, `maxRetries := 3`. */
const definition = /^\s*(?:[a-z]+\s+){0,4}(\w+)\s*(?::[^=]*)?=(?!=)/

const maxDefinitions = 2
const maxCharacters = 300

/** A line where a name gets its value. */
export interface Definition {
  readonly line: number
  readonly text: string
}

/** Where the names that stand in some lines get their value, outside of these: of the names nearest to `line`, at most two. */
export function definitionsOf(
  lines: readonly string[],
  { from, line, to }: { readonly from: number; readonly line: number; readonly to: number },
): Definition[] {
  const names = new Map<string, Definition>()
  for (const [at, text] of lines.entries()) {
    const name = definition.exec(text)?.[1]
    if (name?.search(compound) === 0 && !names.has(name))
      names.set(name, { line: at + 1, text: text.slice(0, maxCharacters) })
  }
  if (names.size === 0) return []
  const within = lines.slice(from - 1, to).map((text, at) => ({ text, far: Math.abs(from + at - line) }))
  const used = within.sort((one, other) => one.far - other.far).flatMap(({ text }) => text.match(compound) ?? [])
  const found = new Set(used.flatMap((name) => names.get(name) ?? []))
  return [...found].filter((one) => one.line < from || one.line > to).slice(0, maxDefinitions)
}
