import { type InvocationState, invocationState } from '../invocation/invocation-state.ts'
import { type InvocationSpan, invocationSpans } from '../invocation/invocation-span.ts'
import type { InvocationOpenedContent } from '../runtime-event/content.ts'
import { isKnownContent } from '../runtime-event/known-content.ts'
import type { RuntimeEvent, StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'

/** One invocation of a turn. */
export interface TurnInvocation {
  readonly opening: RuntimeEvent
  readonly terminalEvent?: RuntimeEvent
  readonly state: InvocationState
  /** In the order of the ledger, from the opening to the terminal event: no stragglers. */
  readonly events: readonly RuntimeEvent[]
}

/** The newest attempt at a turn that no retry superseded, then its continuations. */
export interface Turn {
  readonly invocations: readonly [TurnInvocation, ...TurnInvocation[]]
  /** It was opened by another invocation for itself and is no part of the conversation. */
  readonly isSubAgent: boolean
  /** The conversation went on with a later turn: nobody waits for this one any more. */
  readonly isPassedBy: boolean
}

interface OpenTurn extends Turn {
  readonly invocations: [Attempt, ...Attempt[]]
  isPassedBy: boolean
}

interface Attempt extends TurnInvocation {
  readonly events: RuntimeEvent[]
  readonly slot: Slot
  turn?: OpenTurn
}

/** A place in the conversation: an invocation and the retries of it. */
interface Slot {
  /** The attempt that it goes on from: the two stand and fall together. */
  readonly continues?: Attempt | undefined
  newest?: Attempt
}

/**
 * The turns of a session, oldest first, after those that a branch shows of its parents. `inherited` has the events of each
 * parent, the oldest first, each up to where the next session branches off. Events may come in any order; what no opening
 * begins is ignored.
 */
export function turnsOf(
  events: readonly StoredRuntimeEvent[],
  inherited: readonly (readonly StoredRuntimeEvent[])[] = [],
): Turn[] {
  // Whatever a turn of a parent waits for is not waited for here.
  const earlier = inherited.flatMap((segment) => ownTurns(segment).map((turn) => ({ ...turn, isPassedBy: true })))
  return [...earlier, ...ownTurns(events)]
}

function ownTurns(events: readonly StoredRuntimeEvent[]): Turn[] {
  const turns: OpenTurn[] = []
  for (const attempt of attemptsOf(events)) {
    const { continues, newest } = attempt.slot
    if (newest !== attempt) continue
    if (continues === undefined) {
      const isSubAgent = openingOf(attempt.opening)?.lineage !== undefined
      attempt.turn = { invocations: [attempt], isSubAgent, isPassedBy: true }
      turns.push(attempt.turn)
    } else if (continues.turn !== undefined) {
      attempt.turn = continues.turn
      attempt.turn.invocations.push(attempt)
    }
  }
  for (const turn of turns.toReversed()) {
    turn.isPassedBy = false
    if (!turn.isSubAgent) break
  }
  return turns
}

function attemptsOf(events: readonly StoredRuntimeEvent[]): Iterable<Attempt> {
  const spans = invocationSpans(events)
  const attempts = new Map<string, Attempt>()
  for (const { event, eventSeq } of events.toSorted((a, b) => a.sessionSeq - b.sessionSeq)) {
    const span = spans.get(event.invocationId)
    if (span === undefined || (event.partial as boolean) === true) continue
    if (span.terminal !== undefined && eventSeq > span.terminal.eventSeq) continue
    let attempt = attempts.get(event.invocationId)
    if (attempt === undefined) {
      attempt = newAttempt(span, attempts)
      attempts.set(event.invocationId, attempt)
    }
    attempt.events.push(event)
  }
  return attempts.values()
}

function newAttempt({ opening, terminal }: InvocationSpan, earlier: ReadonlyMap<string, Attempt>): Attempt {
  const ending = terminal === undefined ? {} : { terminalEvent: terminal.event }
  const source = openingOf(opening.event)?.source
  const retried = source?.kind === 'retry' ? earlier.get(source.supersedes) : undefined
  const slot: Slot = retried?.slot ?? {
    continues: source?.kind === 'continuation' ? earlier.get(source.of) : undefined,
  }
  const attempt = { opening: opening.event, ...ending, state: invocationState(ending), events: [], slot }
  slot.newest = attempt
  return attempt
}

/** Undefined for an opening of a foreign ledger that does not have the shape. */
function openingOf({ content }: RuntimeEvent): InvocationOpenedContent | undefined {
  return isKnownContent(content) && content.kind === 'invocation_opened' ? content : undefined
}
