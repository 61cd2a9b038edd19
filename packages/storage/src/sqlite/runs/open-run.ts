import {
  checkRequests,
  checkRunOpening,
  emptyHead,
  leaseEnd,
  planAppend,
  RunExistsError,
  type RunOpening,
  type RunRecord,
} from '@daybook/core'
import { invocationState } from '@daybook/core/runtime-invocation'
import { sha256 } from '../../sha256.ts'
import type { AgentEventRows } from '../agent-events/agent-event-rows.ts'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { Heads } from '../events/heads.ts'
import type { ReadRequests } from '../events/read-requests.ts'
import type { WriteRows } from '../events/write-rows.ts'
import type { ReadRun } from './read-run.ts'
import { encodeRun, type RunRow } from './run-row.ts'

export type OpenRun = (opening: RunOpening, committedAt: number) => Decision<RunRecord>

export function openRun(
  database: Database,
  heads: Heads,
  writeRows: WriteRows,
  readRun: ReadRun,
  requests: ReadRequests,
  logRows: AgentEventRows,
): OpenRun {
  const sessionExists = database.prepare<[string], 1>('SELECT 1 FROM sessions WHERE id = ?').pluck()
  const headOfRunExists = database.prepare<[string], 1>('SELECT 1 FROM runtime_heads WHERE run_id = ?').pluck()
  const insert = database.prepare<[RunRow]>(
    `INSERT INTO agent_runs (
      run_id, invocation_id, session_id, turn_id, source_kind, source_invocation_id, parent_invocation_id, exclusive,
      input_digest, opened_at, finished_at, state, epoch, owner_boot_id, owner_pid_namespace, owner_pid,
      owner_process_started_at, lease_expires_at, stop_requested_at, stop_requested_by
    ) VALUES (
      :run_id, :invocation_id, :session_id, :turn_id, :source_kind, :source_invocation_id, :parent_invocation_id,
      :exclusive, :input_digest, :opened_at, :finished_at, :state, :epoch, :owner_boot_id, :owner_pid_namespace,
      :owner_pid, :owner_process_started_at, :lease_expires_at, :stop_requested_at, :stop_requested_by
    )`,
  )
  const state = {
    sessionExists: (sessionId: string) => sessionExists.get(sessionId) !== undefined,
    findFreshRun: readRun.fresh,
    runExists: (runId: string) => readRun.byId(runId) !== undefined || headOfRunExists.get(runId) !== undefined,
    invocationExists: (invocationId: string) => heads.invocation(invocationId) !== undefined,
    findActiveRun: readRun.active,
    findNewestRun: readRun.newest,
  }

  return ({ run: opened, leaseMs, events, agentEvents }, committedAt) => {
    const run = { ...opened, leaseExpiresAt: leaseEnd(leaseMs, committedAt) }
    checkRunOpening(run, state)
    const nothing = { findRow: () => undefined, digestsAfter: () => [] }
    const plan = planAppend(
      sha256,
      { head: emptyHead(run, run.epoch), sessionHead: heads.session(run.sessionId), ...nothing },
      run.epoch,
      events,
    )
    checkRequests(plan.rows, (requestId) => requests.find(run.sessionId, requestId), committedAt)
    const writeLogRows = logRows.write(run.runId, agentEvents)
    return () => {
      insert.run(encodeRun(run))
      // Rows of an invocation without a head are not Daybook's.
      if (!writeRows(plan, committedAt)) throw new RunExistsError(run.invocationId)
      heads.insert(plan.head)
      writeLogRows()
      if (plan.head.terminalSeq === null) return run
      const terminalEvent = plan.rows.at(-1)!.event
      return { ...run, finishedAt: committedAt, state: invocationState({ terminalEvent }) }
    }
  }
}
