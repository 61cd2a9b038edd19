import { isKnownContent } from '../runtime-event/known-content.ts'
import type { StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { type CallEntry, entriesOf, type Entry, outcomeOf } from './entries.ts'
import { pick } from '../json/pick.ts'
import { callPart, plainPart, resultPart } from './parts.ts'
import type { TranscriptItem, TranscriptTurn } from './transcript-turn.ts'
import { type Turn, type TurnInvocation, turnsOf } from './turns.ts'
import { totalUsage } from './usage.ts'

/**
 * What a person reads: the turns of one session, those of sub-agents too, oldest first. The events may come in any order.
 * `inherited`: what a branch shows of its parents, see `turnsOf`.
 */
export function transcriptFromEvents(
  events: readonly StoredRuntimeEvent[],
  inherited: readonly (readonly StoredRuntimeEvent[])[] = [],
): TranscriptTurn[] {
  return turnsOf(events, inherited).map(transcriptTurn)
}

function transcriptTurn(turn: Turn): TranscriptTurn {
  const { invocations } = turn
  const [first] = invocations
  const newest = invocations.at(-1) ?? first
  const entries = entriesOf(turn)
  const error = failureOf(newest)
  const usage = totalUsage(invocations.flatMap(({ events }) => events))
  return {
    turnId: first.opening.turnId,
    invocationId: newest.opening.invocationId,
    runId: newest.opening.runId,
    openedAt: first.opening.ts,
    state: newest.state,
    userText: entries.flatMap((entry) => (entry.type === 'user' ? entry.content.text : [])).join('\n\n'),
    items: entries.flatMap((entry) => itemOf(entry, turn) ?? []),
    ...(error && { error }),
    ...(usage && { usage }),
  }
}

function itemOf(entry: Entry, turn: Turn): TranscriptItem | undefined {
  switch (entry.type) {
    case 'plain':
      return plainPart(entry.content)
    case 'call': {
      const { content, response } = entry
      const outcome = isOpen(entry, turn) ? 'open' : outcomeOf(entry)
      return { ...callPart(content), outcome, ...(response && { result: response.content.result }) }
    }
    case 'response': {
      const { call, content } = entry
      return call === undefined ? resultPart(content, content.outcome, content) : undefined
    }
    case 'user':
      return undefined
  }
}

/** Whether a response can still come: while its invocation runs, and while it waits and its turn is waited for. */
function isOpen({ invocation, response }: CallEntry, { invocations, isPassedBy }: Turn): boolean {
  if (response !== undefined) return false
  if (invocation.state === 'running') return true
  const now = invocations.at(-1)?.state
  return invocation.state === 'waiting' && !isPassedBy && (now === 'waiting' || now === 'running')
}

function failureOf({ state, terminalEvent, events }: TurnInvocation): TranscriptTurn['error'] {
  if (state !== 'failed') return undefined
  const contents = events.map(({ content }) => content).filter(isKnownContent)
  const said = contents.findLast((content) => content.kind === 'error')
  if (said !== undefined) return pick(said, 'message', 'code')
  const code: unknown = terminalEvent?.actions?.ending?.failureCode
  return typeof code === 'string' ? { message: code, code } : undefined
}
