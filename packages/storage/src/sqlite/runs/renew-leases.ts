import { leaseEnd } from '@daybook/core'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'

export interface OwnedRun {
  readonly runId: string
  readonly epoch: number
}

/** Gives the ids of the runs that were renewed. */
export type RenewLeases = (runs: readonly OwnedRun[], leaseMs: number, now: number) => Decision<string[]>

export function renewLeases(database: Database): RenewLeases {
  const update = database
    .prepare<[number | null, string], string>(
      `UPDATE agent_runs SET lease_expires_at = ?
      FROM (SELECT value ->> 'runId' AS run_id, value ->> 'epoch' AS epoch FROM json_each(?)) AS owned
      WHERE agent_runs.run_id = owned.run_id AND agent_runs.epoch = owned.epoch AND finished_at IS NULL
      RETURNING agent_runs.run_id`,
    )
    .pluck()
  return (runs, leaseMs, now) => () => update.all(leaseEnd(leaseMs, now), JSON.stringify(runs))
}
