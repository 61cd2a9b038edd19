import { AGENT_EVENT_SWEEP_CLAIM_MS } from '@daybook/core'
import { noTime } from '../../agent-events/log-columns.ts'

const logColumns = `l.run_id AS "runId", l.thread_id AS "threadId", l.opened_at AS "openedAt",
  l.finished_at AS "finishedAt", l.details, l.last_seq AS "lastSeq", l.floor, l.bytes, l.truncated`

export const selectLog: string = `SELECT ${logColumns} FROM daybook_agent_event_logs l WHERE l.run_id = $1`

/**
 * A row for each row of the log, with the columns of the log, or one where it has none. Without a limit: all, save those
 * before which there is so much JSON.
 */
export const selectRows: string = `
  SELECT ${logColumns}, e.seq, e.event_json AS json
  FROM daybook_agent_event_logs l
  LEFT JOIN LATERAL (
    SELECT seq, event_json, sum(octet_length(event_json)) OVER (ORDER BY seq) - octet_length(event_json) AS before
    FROM (
      SELECT seq, event_json FROM daybook_agent_events
      WHERE log = l.number AND seq > greatest($2::bigint, l.floor - 1) ORDER BY seq LIMIT $3
    ) AS following
  ) e ON e.before < $4::bigint
  WHERE l.run_id = $1 ORDER BY e.seq`

export const selectWriteId: string = `
  SELECT e.write_id AS "writeId" FROM daybook_agent_event_logs l
  JOIN daybook_agent_events e ON e.log = l.number AND e.seq = $2::bigint WHERE l.run_id = $1`

export const selectFinished: string = selectRuns('l.finished_at', 'l.finished_at IS NOT NULL')
export const selectOpen: string = selectRuns('l.opened_at', 'l.finished_at IS NULL')

const insertInto = `
  INSERT INTO daybook_agent_event_logs AS l (run_id, thread_id, opened_at, finished_at, details) VALUES ($1, $2, $3, $4, $5)`

/** No row where there is a log. */
export const insertLog: string = `${insertInto} ON CONFLICT (run_id) DO NOTHING RETURNING number`

export const upsertLog: string = `${insertInto}
  ON CONFLICT (run_id) DO UPDATE SET thread_id = excluded.thread_id, details = excluded.details,
    opened_at = coalesce(nullif(l.opened_at, ${noTime}), excluded.opened_at), finished_at = coalesce(l.finished_at, excluded.finished_at)`

/** No row where this one is not next: the update of the log, which one writer at a time can do, decides that. */
export const insertRow: string = `
  WITH log AS (
    UPDATE daybook_agent_event_logs SET last_seq = $2::bigint, bytes = bytes + $3::bigint,
      truncated = truncated OR $4::boolean, finished_at = coalesce(finished_at, $5::bigint)
    WHERE run_id = $1 AND last_seq = $2::bigint - 1 RETURNING number
  )
  INSERT INTO daybook_agent_events (log, seq, write_id, event_json) SELECT number, $2::bigint, $6::text, $7::text FROM log
  RETURNING seq`

export const updateClaim: string = `
  UPDATE daybook_agent_event_logs SET claimed_at = $2::bigint
  WHERE run_id = $1 AND (claimed_at IS NULL OR claimed_at + ${AGENT_EVENT_SWEEP_CLAIM_MS} <= $2::bigint) RETURNING number`

export const trimLog: string = `
  WITH log AS (
    UPDATE daybook_agent_event_logs SET floor = greatest(floor, $2::bigint)
    WHERE run_id = $1 AND last_seq >= $2::bigint - 1 RETURNING number
  ), trimmed AS (
    DELETE FROM daybook_agent_events e USING log WHERE e.log = log.number AND e.seq < $2::bigint
  )
  SELECT number FROM log`

/** The rows go with it, also one that is written meanwhile. */
export const deleteLog: string = 'DELETE FROM daybook_agent_event_logs WHERE run_id = $1 RETURNING number'

function selectRuns(time: string, condition: string): string {
  return `
    SELECT ${logColumns} FROM daybook_agent_event_logs l
    WHERE ${condition} AND ${time} <= $1::bigint AND (${time}, l.run_id) > ($2::bigint, $3)
    ORDER BY ${time}, l.run_id LIMIT $4`
}
