import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openSqlite } from '@daybook/storage'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage/operational-state-store'
import { fillLedger } from './fill-ledger.ts'
import { openUnfinishedRun } from './unfinished-run.ts'

export interface History {
  /** Of finished invocations, in one session. */
  readonly events: number
  /** How many times there are `unfinishedRuns` runs, spread over the history, that `leaveUnfinished` can make unfinished. */
  readonly groups: number
}

export const historySessionId = 'large'
export const eventsPerInvocation = 20
export const unfinishedRuns = 1_000

/** The history is written in so many parts, and as many parts of the unfinished runs after one of it each. */
const parts = 10

export async function writeHistory(root: string, { events, groups }: History): Promise<void> {
  const storage = openSqlite(root, { durability: 'normal' })
  for (let part = 0; part < parts; part += 1) {
    const filling = { sessionId: historySessionId, eventsPerInvocation, events: events / parts }
    fillLedger(root, { ...filling, after: part * filling.events })
    for (let group = 0; group < groups; group += 1) {
      await Promise.all(
        Array.from({ length: unfinishedRuns / parts }, () => openUnfinishedRun(storage, turnIdOf(group))),
      )
    }
  }
  storage.close()
  change(root, "UPDATE agent_runs SET finished_at = 1 WHERE turn_id GLOB 'group-*'")
}

/** Makes the runs of a group such as a process leaves them that dies in a tool. */
export function leaveUnfinished(root: string, group: number): void {
  change(root, `UPDATE agent_runs SET finished_at = NULL WHERE turn_id = '${turnIdOf(group)}'`)
}

function turnIdOf(group: number): string {
  return `group-${group}`
}

function change(root: string, sql: string): void {
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  database.exec(sql)
  database.close()
}
