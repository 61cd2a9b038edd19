import type { Database } from '../driver.ts'
import type { Kept } from '../kept.ts'

/** Where the rows of a log are and how far they go. */
export interface LogPosition {
  /** What the rows name the log by. */
  readonly number: number
  readonly lastSeq: number
}

/** Where logs stand, for who writes to them: kept, so that it need not be read again. Only for write transactions. */
export interface LogPositions {
  readonly of: (runId: string) => LogPosition | undefined
  /** After rows were written. */
  readonly set: (runId: string, position: LogPosition) => void
  /** When nothing more is to be written, or the log is removed. */
  readonly forget: (runId: string) => void
}

export function logPositions(database: Database, kept: Kept): LogPositions {
  const select = database.prepare<[string], LogPosition>(
    'SELECT number, last_seq AS lastSeq FROM agent_event_logs WHERE run_id = ?',
  )
  const positions = kept.map<LogPosition>()
  return {
    of: (runId) => positions.get(runId) ?? select.get(runId),
    set: (runId, position) => void positions.set(runId, position),
    forget: (runId) => void positions.delete(runId),
  }
}
