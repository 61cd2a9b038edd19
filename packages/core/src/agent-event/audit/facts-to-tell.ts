import { encodeCanonicalJson } from '../../json/canonical-json.ts'
import type { JsonValue } from '../../json/json-value.ts'
import type { RawRow } from '../../ledger/verify/raw-row.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import { isKnownContent } from '../../runtime-event/known-content.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../../runtime-event/terminal.ts'
import { agentEventsOf } from '../mapping/map.ts'
import { agentKeyOf, agentMessageId } from '../mapping/names.ts'
import { type ToldRun, untoldRun } from '../mapping/told-run.ts'
import { shownEventOf } from './shown-event.ts'

/** What a fact is to those who watch; `custom` is a CUSTOM event by its name, `state` what a backend says by a name of its own. */
export type FactKind = 'text' | 'thinking' | 'encrypted' | 'call' | 'result' | 'custom' | 'state'

/** What a log tells of a fact. What is undefined is not known. */
export interface Said {
  readonly kind: FactKind
  readonly id: string
  readonly text: string | undefined
  /** Of a call the tool, of anything else the JSON of the metadata. */
  readonly detail: string | undefined
  /** Whose it is. */
  readonly agent: string | undefined
}

/** How the text of a fact is written: `value` is JSON, or that of `{ value }`, which may also be a text. */
type TextForm = 'text' | 'json' | 'value' | 'any'

/** What a log must tell of a fact. */
export interface FactToTell {
  readonly eventSeq: number
  readonly key: string
  readonly form: TextForm
  /** In UTF-16 units, of the text or the JSON. */
  readonly length: number
  /** The text, or its digest where that of others takes the place. */
  readonly text?: string
  readonly digest?: string
  readonly detail: string | undefined
  readonly agent: string
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
  #told: ToldRun | undefined
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
      else if (!isTerminalEvent(event)) this.#add(event, eventSeq)
    } catch {
      // It was changed to what no fact can hold.
      this.hasUnknown = true
    }
  }

  /** What the facts ask, and the tokens that they count, as the end of the run tells it. */
  get told(): Pick<ToldRun, 'requests' | 'usage'> {
    return this.#told ?? { requests: new Map(), usage: undefined }
  }

  /**
   * The next fact of which something like this can be told, and those before it, which were not taken and are not there any
   * more. Where facts may be missing in the log, one that fits goes first; it is uncertain where others fit as well.
   */
  take(
    said: Said,
    mayMiss: boolean,
  ): { readonly fact: FactToTell; readonly skipped: readonly FactToTell[]; readonly isCertain: boolean } | undefined {
    const places = this.#places.get(keyOf(said.kind, said.id)) ?? []
    while (places.length > 0 && places[0]! < this.#next) places.shift()
    const [first, second] = mayMiss || this.hasUnknown ? this.#fitting(places, said) : places
    const place = first ?? (this.hasUnknown ? undefined : places[0])
    if (place === undefined) return undefined
    const skipped = this.#facts.slice(this.#next, place)
    this.#next = place + 1
    return { fact: this.#facts[place]!, skipped, isCertain: !mayMiss || second === undefined }
  }

  /** Whether the first that was not taken is one of these. */
  isNext(kind: FactKind, id: string): boolean {
    return this.#facts[this.#next]?.key === keyOf(kind, id)
  }

  /** What was not taken. */
  rest(): readonly FactToTell[] {
    return this.#facts.slice(this.#next)
  }

  /** Whether that is what the fact says. */
  fits(fact: FactToTell, said: Said): boolean {
    return this.#fits(fact, said, textsTold)
  }

  /** The first two places of facts that say that. */
  #fitting(places: readonly number[], said: Said): readonly number[] {
    const known = new Map<TextForm, readonly string[]>()
    const textsOf = (form: TextForm, text: string): readonly string[] => {
      const texts = known.get(form) ?? textsTold(form, text)
      known.set(form, texts)
      return texts
    }
    const fitting: number[] = []
    for (const place of places) {
      if (!this.#fits(this.#facts[place]!, said, textsOf)) continue
      if (fitting.push(place) === 2) break
    }
    return fitting
  }

  #fits(fact: FactToTell, { text, detail, agent }: Said, textsOf: typeof textsTold): boolean {
    if (detail !== undefined && fact.detail !== undefined && detail !== fact.detail) return false
    if (agent !== undefined && agent !== fact.agent) return false
    return text === undefined || fact.form === 'any' || textsOf(fact.form, text).some((one) => this.#is(fact, one))
  }

  #is(fact: FactToTell, text: string): boolean {
    if (text.length !== fact.length) return false
    return fact.text === undefined ? this.#sha256(text) === fact.digest : text === fact.text
  }

  #add(event: RuntimeEvent, eventSeq: number): void {
    const { content, refs, role, author, runId, sessionId, actions, agentPath = [] } = event
    const agent = agentKeyOf(runId, agentPath)
    const put = (kind: FactKind, id: string, form: TextForm, text: string, detail?: string): void =>
      this.#put(kind, id, { eventSeq, form, detail, agent }, text)
    if (isKnownContent(content)) {
      switch (content.kind) {
        case 'text':
        case 'thinking': {
          if (role !== 'model' || refs?.messageId === undefined) return
          const id = agentMessageId(runId, content.kind, refs.messageId)
          put(content.kind, id, 'text', content.text, content.interrupted ? '{"daybook":{"interrupted":true}}' : 'null')
          if (content.kind === 'thinking' && content.providerMetadata !== undefined)
            put('encrypted', id, 'value', encodeCanonicalJson(content.providerMetadata), 'null')
          return
        }
        case 'function_call':
          return put('call', content.toolCallId, 'json', encodeCanonicalJson(content.args), content.name)
        case 'function_response': {
          const { outcome, result } = content
          const isText = typeof result === 'string' || (result === null && outcome !== 'ok')
          const text = isText ? (result ?? outcome) : encodeCanonicalJson(result)
          const detail = outcome === 'ok' ? 'null' : `{"daybook":{"outcome":${JSON.stringify(outcome)}}}`
          return put('result', content.toolCallId, isText ? 'text' : 'json', text as string, detail)
        }
        default:
      }
    }
    const shown = shownEventOf(event)
    if (shown !== undefined) {
      const before = this.#told ?? {
        ...untoldRun({ runId, threadId: sessionId, protocolVersion: '1.0' }),
        isStarted: true,
      }
      const told = { ...before, run: { ...before.run, wait: actions?.request?.wait } }
      const row = agentEventsOf(told, shown).at(-1)
      this.#told = told
      if (row?.type !== 'CUSTOM') return
      const { name, value = null, metadata = null } = row
      return put('custom', name as string, 'json', encodeCanonicalJson(value), encodeCanonicalJson(metadata))
    }
    if (content !== undefined || role !== 'system' || author !== 'agent') return
    const stateDelta = actions?.stateDelta ?? {}
    const names = Object.keys(stateDelta)
    // What a backend adds to a custom event stands beside it, under the name of the type.
    const name = names.find((one) => one !== 'custom') ?? names[0]
    if (name === undefined) return
    // What is large may be cut off elsewhere in what is told.
    const isLoose = names.length > 1 || name === 'custom' || actions?.storableChanges !== undefined
    put('state', name, isLoose ? 'any' : 'json', encodeCanonicalJson(stateDelta[name]!))
  }

  #put(
    kind: FactKind,
    id: string,
    fact: Pick<FactToTell, 'eventSeq' | 'form' | 'detail' | 'agent'>,
    text: string,
  ): void {
    const key = keyOf(kind, id)
    const places = this.#places.get(key)
    if (places === undefined) this.#places.set(key, [this.#facts.length])
    else places.push(this.#facts.length)
    const { length } = text
    this.#keptLength += length
    const said = this.#keptLength <= maxKeptLength ? { text } : { digest: this.#sha256(text) }
    this.#facts.push({ key, length, ...said, ...fact })
  }
}

/** What was told in the form of the fact, of which it may have several. Facts have no halves of surrogate pairs. */
function textsTold(form: TextForm, told: string): readonly string[] {
  if (form === 'text') return [told.toWellFormed()]
  try {
    const value: JsonValue = JSON.parse(told)
    const texts = [encodeCanonicalJson(value)]
    return form === 'json' ? texts : [...texts, encodeCanonicalJson({ value }), encodeCanonicalJson({ value: told })]
  } catch {
    return form === 'json' ? [] : [encodeCanonicalJson({ value: told.toWellFormed() })]
  }
}

function keyOf(kind: FactKind, id: string): string {
  return `${kind} ${id}`
}
