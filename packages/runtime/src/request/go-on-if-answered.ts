import { codeOf } from '../ledger/write.ts'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import type { OpenedTurn } from '../turn/opened-turn.ts'
import { expiredAnswer } from './continuation-events.ts'
import { openGoingOn } from './open-continuation.ts'
import { openRequestsOf, readPausedTurn } from './paused-turn.ts'

/** What somebody else did first, or keeps this process from going on: `continueTurn` does it then. */
const isNoFailure: readonly (string | undefined)[] = [
  'SESSION_BUSY',
  'TURN_NOT_NEWEST',
  'SESSION_NOT_FOUND',
  'MANAGER_CLOSED',
  'STORAGE_CLOSED',
]

/**
 * Goes on with a turn that ended as waiting where everything that it asked was answered before its end: whoever answered
 * left that to the process that drove it. Never rejects.
 */
export async function goOnIfAnswered(
  { run, session: { id, tenant } }: OpenedTurn,
  context: RuntimeContext,
  begin: (open: () => Promise<OpenedTurn>) => Promise<void>,
): Promise<void> {
  try {
    const paused = await readPausedTurn(run, context)
    const asked = paused.requests.filter(({ invocationId }) => invocationId === run.invocationId)
    if (asked.every(({ answer }) => answer === null)) return
    const { answerable, expired } = await openRequestsOf(paused, { tenant }, context)
    if (answerable.length > 0) return
    const session = await findSession(context.store, id, { tenant })
    await begin(() => openGoingOn(paused, session, 'answers', expired.map(expiredAnswer), {}, context))
  } catch (error) {
    if (isNoFailure.includes(codeOf(error))) return
    context.warn(`turn "${run.turnId}" of session "${id}" has its answers, and could not be gone on with`, error)
  }
}
