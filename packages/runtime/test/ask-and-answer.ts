import type { SessionManager, StartedTurn } from '@daybook/runtime/session-manager'
import { approve, openRequests } from './asking-backend.ts'

/** Asks for leave; approves what is open and goes on; only records that; or goes on with what was recorded. */
export type Doing = 'ask' | 'approve' | 'record' | 'continue'

/** Gives what this process then drives. */
export async function askOrAnswer(
  does: Doing,
  manager: SessionManager,
  sessionId: string,
): Promise<StartedTurn | undefined> {
  if (does === 'ask') return manager.startTurn(sessionId, { text: 'ask' })
  if (does === 'continue') return manager.continueTurn(sessionId)
  const answers = (await openRequests(manager, sessionId)).map((request) => approve(request))
  return (await manager.answerRequests(sessionId, { answers, continue: does === 'approve' })).turn
}
