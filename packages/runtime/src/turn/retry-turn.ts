import { type RunRecord, type SessionScope, TurnNotFoundError } from '@daybook/core'
import { isKnownContent } from '@daybook/core/canonical-runtime-event'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { attemptUpTo } from './attempt.ts'
import { goOn, type GoOnInput } from './go-on.ts'
import { openInvocation } from './open-invocation.ts'
import type { OpenedTurn } from './opened-turn.ts'
import { compositionOf, openingEvent, userTextEvent } from './opening-events.ts'
import type { DeclaredProtocol } from './protocol-version.ts'
import type { StartedTurn } from './start-turn.ts'

/** Tries the newest turn again, however it ended. */
export async function retryTurn(
  sessionId: string,
  input: GoOnInput,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<StartedTurn> {
  const prepare = async (newest: RunRecord) => () => openRetry(newest, input, scope, context)
  return goOn(sessionId, input, 'retry_requested', prepare, scope, context)
}

/** Opens another attempt at the turn whose newest run is given, with the same text and the settings of now. */
export async function openRetry(
  newest: RunRecord,
  { protocolVersion }: DeclaredProtocol,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<OpenedTurn> {
  const { sessionId, turnId, inputDigest } = newest
  const session = await findSession(context.store, sessionId, scope)
  context.registry.check(session.backendKind)
  const [first] = await attemptUpTo(newest, context.runStore)
  const text = await userTextOf(first, context)
  const ids = { sessionId, turnId, runId: context.newId(), invocationId: context.newId() }
  const source = { kind: 'retry', supersedes: first.invocationId } as const
  const opening = openingEvent(compositionOf(session), source, ids, context)
  const events = [opening, userTextEvent(text, ids, context)] as const
  const shown = { session, protocolVersion, after: newest }
  return { session, text, ...(await openInvocation({ ...ids, inputDigest, events }, shown, context)) }
}

async function userTextOf(
  { runId, sessionId, turnId }: RunRecord,
  { runtimeEventStore }: RuntimeContext,
): Promise<string> {
  const { items } = await runtimeEventStore.readRunRuntimeEvents(runId, { after: 1, limit: 1 })
  const event = items[0]?.event
  const content = event?.role === 'user' && isKnownContent(event.content) ? event.content : undefined
  // A turn of a foreign ledger may begin with something else than a text.
  if (content?.kind !== 'text') throw new TurnNotFoundError(sessionId, turnId)
  return content.text
}
