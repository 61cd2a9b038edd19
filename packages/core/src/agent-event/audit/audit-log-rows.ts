import { isObject } from '../../json/check.ts'
import type { JsonValue } from '../../json/json-value.ts'
import { type AgentEvent, type AgentEventState, isTruncationMarker } from '../../ports/agent-event-store.ts'
import type { LogReport } from './log-report.ts'
import type { RawLogRow } from './raw-log-row.ts'

/** Checks what a store promises of the rows of a log, one row after the other. */
export interface LogRowsAudit {
  /** In the order of `seq`. Gives the event; undefined where the row is none, or is not where one can be. */
  add(row: RawLogRow): AgentEvent | undefined
  /** So far each row was there and is an event. */
  readonly isWhole: boolean
  /** After the last row. */
  finish(): void
}

export function createLogRowsAudit(state: AgentEventState, report: LogReport): LogRowsAudit {
  const { floor, lastSeq } = state
  let next = floor
  let isWhole = true
  let isMisplaced = false
  let [bytes, truncated] = [0, false]

  function missing(until: number): void {
    isWhole = false
    const rows = until === next + 1 ? `row ${next} is` : `rows ${next} to ${until - 1} are`
    report.problem('log_seq_gap', `${rows} missing`)
  }

  return {
    get isWhole() {
      return isWhole
    },
    add(row) {
      const { seq } = row
      if (!Number.isSafeInteger(seq) || seq < next || seq > lastSeq) {
        if (!isMisplaced) report.problem('log_seq_gap', `has a row at ${seq}, where none can be`)
        isMisplaced = true
        isWhole = false
        return undefined
      }
      if (seq > next) missing(seq)
      next = seq + 1
      bytes += row.bytes
      const event = readEvent(row)
      if (event === undefined) {
        isWhole = false
        report.problem('log_unreadable', 'is not the JSON of an event', { logSeq: seq })
      } else truncated ||= isTruncationMarker(event)
      return event
    },
    finish() {
      if (floor > lastSeq + 1)
        report.problem('log_columns_differ', `begins at ${floor}, behind its last row ${lastSeq}`)
      else if (next <= lastSeq) missing(lastSeq + 1)
      if (!isWhole) return
      // What was trimmed counts on.
      const isAll = floor === 1
      if (isAll ? state.bytes !== bytes : state.bytes < bytes) {
        report.problem('log_columns_differ', `says that its rows have ${state.bytes} bytes; they have ${bytes}`)
      }
      if (state.truncated !== truncated && (isAll || truncated)) {
        const [said, found] = truncated ? ['does not say', 'has a'] : ['says', 'has no']
        report.problem('log_columns_differ', `${said} that it is truncated, and ${found} row for it`)
      }
    },
  }
}

function readEvent({ json }: RawLogRow): AgentEvent | undefined {
  if (json === null) return undefined
  try {
    const event: JsonValue = JSON.parse(json)
    return isObject(event) && typeof event.type === 'string' && event.type !== '' ? (event as AgentEvent) : undefined
  } catch {
    return undefined
  }
}
