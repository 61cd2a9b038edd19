import type { JsonValue } from '../../json/json-value.ts'
import { type AgentDelta, agentStreamOf } from './delta.ts'

/** So many UTF-16 units of text a row has at most: as JSON they have 1.5 MiB at most. */
const maxRowLength = 262_144

interface Pending {
  readonly stream: string
  readonly first: AgentDelta
  text: string
}

/** Deltas that are not stored yet, those of each stream joined, in the order of their first ones. */
export class PendingDeltas {
  #pending: Pending[] = []
  readonly #latest = new Map<string, Pending>()
  #length = 0

  /** UTF-16 units of all text. */
  get length(): number {
    return this.#length
  }

  /** What `take` would give if nothing more came, without taking it. */
  get waiting(): readonly AgentDelta[] {
    return this.#pending.map(({ first, text }) => ({ ...first, delta: text }))
  }

  /** A delta with other fields than those before it, timestamps aside, is not joined to them but follows them. */
  add(delta: AgentDelta): void {
    this.#add(agentStreamOf(delta), delta, delta.delta)
  }

  /**
   * Takes the text as events, one for each stream unless it is long. Half of a surrogate pair at the end of a stream stays
   * until its other half comes, save where `isOver` says that none will.
   */
  take(isOver: (delta: AgentDelta) => boolean = () => false): readonly AgentDelta[] {
    const taken: AgentDelta[] = []
    const held: Pending[] = []
    for (const pending of this.#pending) {
      const { stream, first, text } = pending
      const mayGoOn = this.#latest.get(stream) === pending && !isOver(first)
      const end = mayGoOn && splitsPair(text, text.length) ? text.length - 1 : text.length
      for (let start = 0; start < end;) {
        const stop = endOfPiece(text, start, end)
        taken.push({ ...first, delta: text.slice(start, stop) })
        start = stop
      }
      if (end < text.length) held.push({ stream, first, text: text.slice(end) })
    }
    this.#pending = []
    this.#latest.clear()
    this.#length = 0
    for (const { stream, first, text } of held) this.#add(stream, first, text)
    return taken
  }

  #add(stream: string, delta: AgentDelta, text: string): void {
    const latest = this.#latest.get(stream)
    this.#length += text.length
    // One without text is no row, whatever else it says, and must not stand between the halves of a character.
    if (latest !== undefined && (text === '' || isSameSave(latest.first, delta))) {
      latest.text += text
      return
    }
    const pending = { stream, first: delta, text }
    this.#pending.push(pending)
    this.#latest.set(stream, pending)
  }
}

function endOfPiece(text: string, start: number, end: number): number {
  const stop = start + maxRowLength
  if (stop >= end) return end
  return splitsPair(text, stop) ? stop - 1 : stop
}

/** Whether the first half of a surrogate pair stands before the position. */
function splitsPair(text: string, position: number): boolean {
  return (text.charCodeAt(position - 1) & 0xfc00) === 0xd800
}

/** Whether both say the same, save for the text and when it was said. */
function isSameSave(first: AgentDelta, next: AgentDelta): boolean {
  for (const name in next) if (!isOwnTo(name) && !isSame(first[name], next[name])) return false
  for (const name in first) if (!isOwnTo(name) && !(name in next)) return false
  return true
}

function isOwnTo(name: string): boolean {
  return name === 'delta' || name === 'timestamp'
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
