import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { utf8Length } from '../../json/utf8-length.ts'

/** So many bytes of JSON one part of an event has at most: no store takes an event of more than 4 MiB. */
const maxPartBytes = 3 * 1_048_576

/** The first of the items, as many as an event can hold. */
export function firstThatFit<Item extends JsonValue>(items: readonly Item[]): readonly Item[] {
  let room = maxPartBytes
  const end = items.findIndex((item) => (room -= jsonBytes(item)) < 0)
  return end === -1 ? items : items.slice(0, end)
}

/** The value without those of its fields that an event cannot hold, and how many bytes of JSON they have. */
export function withoutTooLarge(value: JsonObject): { readonly value: JsonObject; readonly omittedBytes: number } {
  const bytes = jsonBytes(value)
  if (bytes <= maxPartBytes) return { value, omittedBytes: 0 }
  let room = maxPartBytes
  const fields = Object.entries(value).filter(([name, field]) => {
    const bytes = jsonBytes({ [name]: field })
    if (bytes > room) return false
    room -= bytes
    return true
  })
  const kept = Object.fromEntries(fields)
  return { value: kept, omittedBytes: bytes - jsonBytes(kept) }
}

function jsonBytes(value: JsonValue): number {
  return utf8Length(JSON.stringify(value))
}
