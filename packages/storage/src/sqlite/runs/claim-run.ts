import { planRunClaim, type RunClaim, type RunRecord } from '@daybook/core'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { Heads } from '../events/heads.ts'
import type { ReadRun } from './read-run.ts'

export type ClaimRun = (claim: RunClaim, now: number) => Decision<RunRecord>

export function claimRun(database: Database, heads: Heads, readRun: ReadRun): ClaimRun {
  const update = database.prepare(
    `UPDATE agent_runs SET epoch = ?, owner_boot_id = ?, owner_pid_namespace = ?, owner_pid = ?,
      owner_process_started_at = ?, lease_expires_at = ? WHERE run_id = ?`,
  )
  return (claim, now) => {
    const run = readRun.byId(claim.runId)
    const head = run && heads.invocation(run.invocationId)
    const claimed = planRunClaim(claim, head && run, head?.terminalSeq != null, now)
    return () => {
      const { owner, epoch, leaseExpiresAt, runId } = claimed
      update.run(epoch, owner.bootId, owner.pidNamespace, owner.pid, owner.processStartedAt, leaseExpiresAt, runId)
      heads.setEpoch({ ...head!, epoch })
      return claimed
    }
  }
}
