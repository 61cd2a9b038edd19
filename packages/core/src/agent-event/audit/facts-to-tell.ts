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

/** A fact that a log tells, and what it tells of it. */
export interface FactToTell {
  readonly eventSeq: number
  /** Whether what is told is the JSON of a value, however it is spelled, or text. */
  readonly isJson: boolean
  /** In UTF-16 units, of the text or the JSON. */
  readonly length: number
  /** The text, or its digest where that of others takes the place. */
  readonly text?: string
  readonly digest?: string
  /** More than the fact holds may have been told. */
  readonly isCutOff: boolean
  /** Of a result. */
  readonly outcome: ToolOutcome | undefined
}

/** So many UTF-16 units of texts are kept of an invocation, and digests of the others. */
const maxKeptLength = 2 ** 20

/** The facts of an invocation in the order in which its log tells them; of many a few words are kept. */
export class FactsToTell {
  readonly #sha256: Sha256
  readonly #facts: FactToTell[] = []
  /** By kind and id, where in `#facts` those are that were not taken. */
  readonly #places = new Map<string, number[]>()
  #next = 0
  #keptLength = 0
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
    const place = this.#placeOf(kind, id)
    if (place === undefined) return undefined
    this.#places.get(keyOf(kind, id))!.shift()
    const skipped = this.#facts.slice(this.#next, place)
    this.#next = place + 1
    return { fact: this.#facts[place]!, skipped }
  }

  /** Whether a result of the call comes before the call, which it then ends as far as it was told. */
  isEndedByResult(toolCallId: string): boolean {
    const result = this.#placeOf('result', toolCallId)
    return result !== undefined && result < (this.#placeOf('call', toolCallId) ?? Infinity)
  }

  /** What was not taken. */
  rest(): readonly FactToTell[] {
    return this.#facts.slice(this.#next)
  }

  /** Whether that is what the fact says. */
  fits(fact: FactToTell, told: string): boolean {
    const text = textTold(fact, told)
    if (text?.length !== fact.length) return false
    return fact.text === undefined ? this.#sha256(text) === fact.digest : text === fact.text
  }

  #placeOf(kind: FactKind, id: string): number | undefined {
    const places = this.#places.get(keyOf(kind, id)) ?? []
    while (places.length > 0 && places[0]! < this.#next) places.shift()
    return places[0]
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
    const { length } = text
    this.#keptLength += length
    const said = this.#keptLength <= maxKeptLength ? { text } : { digest: this.#sha256(text) }
    this.#facts.push({ eventSeq, isJson, length, ...said, isCutOff, outcome })
  }
}

/** What was told in the form of the fact; undefined where it has none. */
function textTold({ isJson, length, isCutOff }: FactToTell, told: string): string | undefined {
  // Facts have no halves of surrogate pairs.
  if (!isJson) return (isCutOff ? told.slice(0, length) : told).toWellFormed()
  try {
    return encodeCanonicalJson(JSON.parse(told) as JsonValue)
  } catch {
    return undefined
  }
}

function keyOf(kind: FactKind, id: string): string {
  return `${kind} ${id}`
}
