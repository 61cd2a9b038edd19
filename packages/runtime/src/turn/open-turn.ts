import type { SessionScope } from '@daybook/core'
import { refuseInheritedTurn } from '../branch/inherited-turn.ts'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import type { OpenedTurn } from './opened-turn.ts'
import { openInvocation } from './open-invocation.ts'
import { compositionOf, openingEvent, userTextEvent } from './opening-events.ts'
import { checkMessage, type TurnMessage } from './turn-message.ts'

/**
 * Opens a turn of its own for a message. Throws what is wrong with the message, `SessionNotFoundError`,
 * `UnknownBackendError`, `TurnExistsError`, `SessionBusyError`, and what the store throws; nothing is written then.
 */
export async function openTurn(
  sessionId: string,
  message: TurnMessage,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<OpenedTurn> {
  const { turnId, inputDigest, text, protocolVersion } = checkMessage(message, context.newId)
  const session = await findSession(context.store, sessionId, scope)
  context.registry.check(session.backendKind)
  // An id of our own is nobody else's.
  if (message.turnId !== undefined) await refuseInheritedTurn(session, { turnId, inputDigest }, context)
  const ids = { sessionId, turnId, runId: context.newId(), invocationId: context.newId() }
  const opening = openingEvent(compositionOf(session), { kind: 'fresh' }, ids, context)
  const events = [opening, userTextEvent(text, ids, context)] as const
  const shown = { session, protocolVersion }
  return { session, text, ...(await openInvocation({ ...ids, inputDigest, events }, shown, context)) }
}
