import { encodeCanonicalJson } from '../../json/canonical-json.ts'
import type { JsonValue } from '../../json/json-value.ts'
import type { RawRow } from '../../ledger/verify/raw-row.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { ToolOutcome } from '../../runtime-event/content.ts'
import { isKnownContent } from '../../runtime-event/known-content.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import { agentMessageId } from '../mapping/names.ts'

/** What a fact is to those who watch, where that is held against the log. */
export type FactKind = 'text' | 'thinking' | 'call' | 'result'

/** A fact that a log tells, and a digest of what it tells of it. */
export interface FactToTell {
  readonly eventSeq: number
  /** Whether what is told is the JSON of a value, however it is spelled, or text. */
  readonly isJson: boolean
  /** In UTF-16 units, of text. */
  readonly length: number
  readonly digest: string
  /** More than the fact holds may have been told. */
  readonly isCutOff: boolean
  /** Of a result. */
  readonly outcome: ToolOutcome | undefined
}

/** The facts of an invocation in the order in which its log tells them; a few words are kept of each. */
export class FactsToTell {
  readonly #sha256: Sha256
  readonly #facts: FactToTell[] = []
  /** By kind and id, where in `#facts` those are that were not taken. */
  readonly #places = new Map<string, number[]>()
  #next = 0
  /** Nobody knows what some facts said: they were erased, or cannot be read. */
  hasUnknown = false

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** In the order of `eventSeq`. `event` is undefined where the row cannot be read. Nobody tells of foreign rows. */
  add(event: RuntimeEvent | undefined, { eventSeq, payloadDigest }: RawRow): void {
    if (payloadDigest === null) return
    try {
      if (event === undefined) this.hasUnknown = true
      else this.#add(event, eventSeq)
    } catch {
      // It was changed to what no fact can hold.
      this.hasUnknown = true
    }
  }

  /** The next fact of this kind and id, and those before it, which were not taken and are not there any more. */
  take(kind: FactKind, id: string): { readonly fact: FactToTell; readonly skipped: readonly FactToTell[] } | undefined {
    const places = this.#places.get(keyOf(kind, id)) ?? []
    while (places.length > 0 && places[0]! < this.#next) places.shift()
    const place = places.shift()
    if (place === undefined) return undefined
    const skipped = this.#facts.slice(this.#next, place)
    this.#next = place + 1
    return { fact: this.#facts[place]!, skipped }
  }

  /** What was not taken. */
  rest(): readonly FactToTell[] {
    return this.#facts.slice(this.#next)
  }

  /** Whether that is what the fact says. */
  fits({ isJson, length, digest, isCutOff }: FactToTell, told: string): boolean {
    try {
      if (isJson) return this.#sha256(encodeCanonicalJson(JSON.parse(told) as JsonValue)) === digest
    } catch {
      return false
    }
    // Facts have no halves of surrogate pairs.
    const text = (isCutOff ? told.slice(0, length) : told).toWellFormed()
    return text.length === length && this.#sha256(text) === digest
  }

  #add({ content, refs, role, runId }: RuntimeEvent, eventSeq: number): void {
    if (!isKnownContent(content)) return
    switch (content.kind) {
      case 'text':
      case 'thinking': {
        if (role !== 'model' || refs?.messageId === undefined) return
        const id = agentMessageId(runId, content.kind, refs.messageId)
        return this.#put(content.kind, id, eventSeq, content.text, { isCutOff: content.interrupted === true })
      }
      case 'function_call':
        return this.#put('call', content.toolCallId, eventSeq, encodeCanonicalJson(content.args), { isJson: true })
      case 'function_response': {
        const { outcome, result } = content
        const isText = typeof result === 'string' || (result === null && outcome !== 'ok')
        const text = isText ? (result ?? outcome) : encodeCanonicalJson(result)
        return this.#put('result', content.toolCallId, eventSeq, text as string, { isJson: !isText, outcome })
      }
      default:
    }
  }

  #put(
    kind: FactKind,
    id: string,
    eventSeq: number,
    text: string,
    { isJson = false, isCutOff = false, outcome }: Partial<FactToTell>,
  ): void {
    const key = keyOf(kind, id)
    const places = this.#places.get(key)
    if (places === undefined) this.#places.set(key, [this.#facts.length])
    else places.push(this.#facts.length)
    this.#facts.push({ eventSeq, isJson, length: text.length, digest: this.#sha256(text), isCutOff, outcome })
  }
}

function keyOf(kind: FactKind, id: string): string {
  return `${kind} ${id}`
}
