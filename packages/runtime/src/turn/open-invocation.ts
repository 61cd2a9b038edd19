import type {
  AgentEventHeader,
  AgentEventWrites,
  AgentRunStore,
  OpenRunRequest,
  RunExistsError,
  RunRecord,
  SessionRecord,
  TurnExistsError,
} from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import { TurnLog } from '../ledger/turn-log.ts'
import { codeOf, isAboutLog, isOutcomeUnknown, writeWithRetries } from '../ledger/write.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import type { OpenedTurn } from './opened-turn.ts'
import { declaredVersion, type DeclaredProtocol } from './protocol-version.ts'

export type Opening = Pick<OpenRunRequest, 'sessionId' | 'turnId' | 'runId' | 'invocationId' | 'inputDigest' | 'events'>

/** What a run begins with for those who follow it. */
export interface ShownOpening extends DeclaredProtocol {
  readonly session: SessionRecord
  /** The run that this one goes on from, or is tried in the place of. */
  readonly after?: RunRecord
  /** What is told before the backend says anything. */
  readonly decided?: readonly SessionEvent[]
}

/**
 * Writes a run with its first events and, where it is one to follow, the beginning of its log, for this process to drive.
 * A run of the session that nobody drives any more is ended first. Where the log alone is refused, the run begins without
 * one. Throws what `openRun` throws; nothing is written then.
 */
export async function openInvocation(
  opening: Opening,
  shown: ShownOpening | undefined,
  context: RuntimeContext,
): Promise<Pick<OpenedTurn, 'run' | 'log'>> {
  const { owner, leaseMs, recovery, runStore, warn } = context
  const { sessionId, runId } = opening
  const facts: OpenRunRequest = { ...opening, exclusive: true, owner, leaseMs }
  const open = (request: OpenRunRequest): Promise<RunRecord> =>
    recovery.unlessBusy(sessionId, async () => {
      try {
        return await writeWithRetries(() => openOnce(request, runStore))
      } catch (error) {
        if (isOutcomeUnknown(error)) recovery.leave(sessionId, runId)
        throw error
      }
    })
  try {
    const begun = shown && (await beginLog(runId, shown, context))
    if (begun !== undefined) {
      const { log, ...agentEvents } = begun
      return { run: await open({ ...facts, agentEvents }), log }
    }
  } catch (error) {
    if (!isAboutLog(error)) throw error
    warn(`run "${runId}" begins without its delivery log`, error)
  }
  return { run: await open(facts) }
}

async function beginLog(
  runId: string,
  { session, protocolVersion, after, decided = [] }: ShownOpening,
  context: RuntimeContext,
): Promise<({ readonly log: TurnLog } & Required<AgentEventWrites>) | undefined> {
  const { agentEvents, now, warn } = context
  if (agentEvents === undefined) return undefined
  const version = protocolVersion ?? (after && (await declaredVersion(after, context)))
  const header: AgentEventHeader = {
    runId,
    threadId: session.id,
    tenant: session.tenant,
    gates: [],
    userId: session.subject,
    operatorId: null,
    openedAt: now(),
    ...(after && { parentRunId: after.runId }),
    ...(version !== undefined && { protocolVersion: version }),
  }
  const log = new TurnLog(header, { ...agentEvents, now, warn })
  return { log, header, rows: log.openingRows(decided) }
}

/** Opens the run, or finds it when an attempt whose outcome was unknown did open it. */
async function openOnce(request: OpenRunRequest, runStore: AgentRunStore): Promise<RunRecord> {
  try {
    return await runStore.openRun(request)
  } catch (error) {
    const run = isAboutRun(error) && error.runId === request.runId ? await runStore.readRun(request.runId) : undefined
    if (run === undefined) throw error
    return run
  }
}

function isAboutRun(error: unknown): error is TurnExistsError | RunExistsError {
  const code = codeOf(error)
  return code === 'TURN_EXISTS' || code === 'RUN_EXISTS'
}
