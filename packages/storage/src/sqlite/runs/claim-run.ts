import { RunNotFoundError, type RunOwner, type RunRecord, RunSealedError, StaleOwnerError } from '@daybook/core'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { Heads } from '../events/heads.ts'
import type { ReadRun } from './read-run.ts'

/** `owner` is checked. */
export type ClaimRun = (runId: string, expectedEpoch: number, owner: RunOwner) => Decision<RunRecord>

export function claimRun(database: Database, heads: Heads, readRun: ReadRun): ClaimRun {
  const update = database.prepare(
    `UPDATE agent_runs SET epoch = ?, owner_boot_id = ?, owner_pid_namespace = ?, owner_pid = ?,
      owner_process_started_at = ? WHERE run_id = ?`,
  )
  return (runId, expectedEpoch, owner) => {
    const run = readRun.byId(runId)
    const head = run && heads.invocation(run.invocationId)
    if (run === undefined || head === undefined) throw new RunNotFoundError(runId)
    if (head.terminalSeq !== null) throw new RunSealedError(runId)
    if (head.epoch !== expectedEpoch) throw new StaleOwnerError(runId, expectedEpoch, head.epoch)
    const epoch = head.epoch + 1
    return () => {
      update.run(epoch, owner.bootId, owner.pidNamespace, owner.pid, owner.processStartedAt, runId)
      heads.setEpoch({ ...head, epoch })
      return { ...run, epoch, owner }
    }
  }
}
