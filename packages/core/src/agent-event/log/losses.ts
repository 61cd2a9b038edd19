import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { gapMarker } from './markers.ts'
import { agentRunEnd } from './run-end.ts'
import { agentEventSpanEnd, agentEventSpans } from './spans.ts'

/**
 * What could not be stored of a run, and what that means for what follows: a marker tells how much is missing; what belongs
 * to a span whose beginning is missing is missing too; the beginning of the run and the ends of spans are written again.
 */
export class AgentEventLosses {
  /** Rows that no stored marker tells of. */
  #dropped = 0
  #marker: AgentEvent | undefined
  #toldBy = new WeakMap<AgentEvent, number>()
  #owed: readonly AgentEvent[] = []
  /** Ends that nobody recorded. */
  #made = new WeakSet<AgentEvent>()
  readonly #lostSpans = new Map<string, unknown>()

  /** Nothing is to be told, to be written again or to be left out. */
  get isEmpty(): boolean {
    return this.#dropped === 0 && this.#owed.length === 0 && this.#lostSpans.size === 0
  }

  /** The event could not be stored. An end of the run is not counted: who tried to end the run knows, and tries again. */
  lose(event: AgentEvent, error: unknown): void {
    if (agentRunEnd(event) !== undefined) return
    const { opens, closes } = agentEventSpans(event)
    if (isOwedOnceLost(event) && this.refusal(event) === undefined) {
      const others = this.#owed.filter((owed) => !isSameBoundary(owed, event))
      this.#owed = event.type === 'RUN_STARTED' ? [event, ...others] : [...others, event]
      if (closes !== undefined) this.#lostSpans.delete(closes)
      return
    }
    this.#count(1)
    if (opens !== undefined) this.#lostSpans.set(opens, error)
    if (closes !== undefined) this.#lostSpans.delete(closes)
  }

  /** What is stored before any other event, save what it stands for: the beginning of the run, the ends of spans. */
  get owed(): readonly AgentEvent[] {
    return this.#owed
  }

  /** What kept the beginning of a span of this event from being stored: the event is to be lost too. */
  refusal(event: AgentEvent): { readonly error: unknown } | undefined {
    if (this.#lostSpans.size === 0) return undefined
    const { within, closes, replaces = [] } = agentEventSpans(event)
    // An end that is owed may come from whoever knows nothing of that.
    const owed = this.#owed.some((owed) => isSameBoundary(owed, event)) ? closes : undefined
    const span = [...within, ...replaces].find((span) => span !== owed && this.#lostSpans.has(span))
    return span === undefined ? undefined : { error: this.#lostSpans.get(span) }
  }

  /** What is to be stored before the event, or before whatever comes; undefined where nothing is. */
  before(event?: AgentEvent): AgentEvent | undefined {
    const owed = this.#owed.find((owed) => event === undefined || !isSameBoundary(owed, event))
    if (owed?.type === 'RUN_STARTED') return owed
    if (event?.type === 'RUN_STARTED') return undefined
    if (this.#dropped === 0) return owed
    if (this.#marker === undefined) {
      this.#marker = gapMarker({ reason: 'store_failed', dropped: this.#dropped })
      this.#toldBy.set(this.#marker, this.#dropped)
    }
    return this.#marker
  }

  stored(event: AgentEvent): void {
    const told = this.#toldBy.get(event)
    if (told !== undefined) this.#count(-told)
    // An end that was owed is of a span before the one that may be missing now, or was made in its producer's place.
    const isOfNone = this.#owed.includes(event) || this.#made.has(event)
    this.#owed = this.#owed.filter((owed) => !isSameBoundary(owed, event))
    if (this.#lostSpans.size === 0 || isOfNone) return
    const { opens, closes } = agentEventSpans(event)
    for (const span of [opens, closes]) if (span !== undefined) this.#lostSpans.delete(span)
  }

  /**
   * The event was taken for lost, and is stored after all. A span that it begins is ended: what of it came since is missing.
   */
  found(event: AgentEvent): void {
    if (agentRunEnd(event) !== undefined || this.#owed.includes(event)) return this.stored(event)
    this.#count(-1)
    const end = agentEventSpanEnd(event)
    if (end === undefined) this.stored(event)
    else {
      this.#made.add(end)
      this.#owed = [...this.#owed, end]
    }
  }

  /** Another one that knows the same, and shares nothing that changes. */
  copy(): AgentEventLosses {
    const copy = new AgentEventLosses()
    copy.absorb(this)
    copy.#owed = this.#owed
    copy.#toldBy = this.#toldBy
    copy.#made = this.#made
    return copy
  }

  /** Adds what another one counted. */
  absorb(other: AgentEventLosses): void {
    this.#count(other.#dropped)
    for (const [span, error] of other.#lostSpans) this.#lostSpans.set(span, error)
  }

  #count(rows: number): void {
    this.#dropped += rows
    this.#marker = undefined
  }
}

/** Whether an event that could not be stored is written again, later, and so is never missing. */
export function isOwedOnceLost(event: AgentEvent): boolean {
  return boundaryOf(event) !== undefined
}

/** Whether both begin the run, or end the same span. */
function isSameBoundary(owed: AgentEvent, event: AgentEvent): boolean {
  return owed === event || boundaryOf(owed) === boundaryOf(event)
}

function boundaryOf(event: AgentEvent): string | undefined {
  return event.type === 'RUN_STARTED' ? 'run' : agentEventSpans(event).closes
}
