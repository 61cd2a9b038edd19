import { LedgerDamagedError, type RunRecord, type SessionRecord } from '@daybook/core'
import { type AnswerAction, type InvocationOpenedContent, isKnownContent } from '@daybook/core/canonical-runtime-event'
import type { BackendContinuation } from '@daybook/core/backend-types'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { openInvocation, type ShownOpening } from '../turn/open-invocation.ts'
import type { OpenedTurn } from '../turn/opened-turn.ts'
import type { DeclaredProtocol } from '../turn/protocol-version.ts'
import { type Composition, compositionOf } from '../turn/opening-events.ts'
import { type ContinuationEnd, type ContinuationEvents, continuationEvents } from './continuation-events.ts'
import type { PausedTurn } from './paused-turn.ts'

/**
 * Opens an invocation that goes on from a paused turn, for this process to drive. Throws `TurnNotNewestError` or
 * `SessionBusyError` when somebody else went on first, and what the store says of the answers.
 */
export async function openGoingOn(
  turn: PausedTurn,
  session: SessionRecord,
  continues: BackendContinuation['kind'],
  answers: readonly AnswerAction[],
  { protocolVersion }: DeclaredProtocol,
  context: RuntimeContext,
): Promise<OpenedTurn> {
  const shown = { session, protocolVersion, after: turn.newest }
  return {
    session,
    text: '',
    continues,
    ...(await open(turn, compositionOf(session), answers, 'goes_on', shown, context)),
  }
}

/**
 * Records answers, or that the turn ends as aborted, in an invocation that has ended with that: nobody drives it. It has the
 * composition of the one that it follows, and no log: there is nothing to watch. Throws as `openGoingOn`.
 */
export async function recordContinuation(
  turn: PausedTurn,
  answers: readonly AnswerAction[],
  end: Exclude<ContinuationEnd, 'goes_on'>,
  context: RuntimeContext,
): Promise<RunRecord> {
  return (await open(turn, await compositionOfRun(turn.newest, context), answers, end, undefined, context)).run
}

async function open(
  { newest, requests, openItems }: PausedTurn,
  composition: Composition,
  answers: readonly AnswerAction[],
  end: ContinuationEnd,
  shown: Omit<ShownOpening, 'decided'> | undefined,
  context: RuntimeContext,
): Promise<Pick<OpenedTurn, 'run' | 'log'> & Pick<ContinuationEvents, 'decided'>> {
  const { sessionId, turnId, invocationId: of, inputDigest } = newest
  const ids = { sessionId, turnId, runId: context.newId(), invocationId: context.newId() }
  const plan = { composition, ids, of, requests, answers, openItems, end }
  const { events, decided } = continuationEvents(plan, context)
  const opening = { ...ids, inputDigest, events }
  return { ...(await openInvocation(opening, shown && { ...shown, decided }, context)), decided }
}

/** Throws `LedgerDamagedError` where a run does not begin as one. */
async function compositionOfRun(
  { runId, sessionId }: RunRecord,
  { runtimeEventStore }: RuntimeContext,
): Promise<Composition> {
  const { items } = await runtimeEventStore.readRunRuntimeEvents(runId, { limit: 1 })
  const content = items[0]?.event.content
  if (!isKnownContent(content) || content.kind !== 'invocation_opened') {
    throw new LedgerDamagedError(sessionId, `run "${runId}"`, 'does not begin with an opening')
  }
  const { route, configuration }: InvocationOpenedContent = content
  return { route, configuration }
}
