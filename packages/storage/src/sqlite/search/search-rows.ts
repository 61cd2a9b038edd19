import { DaybookError, saidText } from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeEvent, eventColumns, type EventRow } from '../events/event-row.ts'

/** A title, or something that was said, as the index takes it in. */
export interface SearchRow {
  readonly number: number
  readonly tenant: string | null
  readonly text: string
}

/** Reads what the index is made of. */
export interface SearchRows {
  /** The highest numbers that there are. */
  readonly last: () => IndexedUpTo
  readonly titles: (after: number, upTo: number) => readonly SearchRow[]
  readonly said: (after: number, upTo: number) => readonly SearchRow[]
  readonly titleOf: (sessionId: string) => SearchRow
  /** Reads them a page at a time. */
  readonly saidIn: (sessionId: string, upTo: number) => Iterable<SearchRow>
  /** The number of the last title, or event, that is read in one step with those after `after`; undefined for none. */
  readonly endOfTitles: (after: number) => number | undefined
  readonly endOfSaid: (after: number) => number | undefined
}

/** Numbers up to which titles and texts are in the index. */
export interface IndexedUpTo {
  readonly titles: number
  readonly said: number
}

/** What one step reads at most, unless a single text has more: rows, and bytes of texts. Some milliseconds. */
const stepRows = 1_000
const pageRows = 100
const stepBytes = 32_768

interface SizedRow {
  readonly number: number
  readonly bytes: number
}

type SaidRow = readonly [number: number, tenant: string | null, ...EventRow]

export function searchRows(database: Database): SearchRows {
  const last = database.prepare<[], IndexedUpTo>(
    `SELECT ifnull((SELECT max(number) FROM sessions), 0) AS titles,
      ifnull((SELECT max(number) FROM runtime_events), 0) AS said`,
  )
  const sizedTitles = database.prepare<[number, number], SizedRow>(
    'SELECT number, ifnull(octet_length(title), 0) AS bytes FROM sessions WHERE number > ? ORDER BY number LIMIT ?',
  )
  const sizedEvents = database.prepare<[number, number], SizedRow>(
    `SELECT number, iif(event_kind = 'text', octet_length(payload_json), 0) AS bytes
    FROM runtime_events WHERE number > ? ORDER BY number LIMIT ?`,
  )
  const title = "number, tenant, ifnull(title, '') AS text FROM sessions"
  const titles = database.prepare<[number, number], SearchRow>(`SELECT ${title} WHERE number > ? AND number <= ?`)
  const titleOf = database.prepare<[string], SearchRow>(`SELECT ${title} WHERE id = ?`)
  const selectSaid = `SELECT e.number, s.tenant, ${eventColumns('e')}
    FROM runtime_events e CROSS JOIN sessions s ON s.id = e.session_id WHERE e.event_kind = 'text'`
  const said = database.prepare<[number, number], SaidRow>(`${selectSaid} AND e.number > ? AND e.number <= ?`).raw()
  const saidPage = database
    .prepare<[string, number, number, number], SaidRow>(
      `${selectSaid} AND e.session_id = ? AND e.session_seq > ? AND e.number <= ? ORDER BY e.session_seq LIMIT ?`,
    )
    .raw()

  function* saidIn(sessionId: string, upTo: number): Generator<SearchRow> {
    let sessionSeq = 0
    for (let page: SaidRow[] | undefined; page === undefined || page.length === pageRows;) {
      page = saidPage.all(sessionId, sessionSeq, upTo, pageRows)
      sessionSeq = page.at(-1)?.[3] ?? sessionSeq
      yield* page.map(decodeSaid)
    }
  }

  return {
    last: () => last.get()!,
    titles: (after, upTo) => titles.all(after, upTo),
    said: (after, upTo) => said.all(after, upTo).map(decodeSaid),
    titleOf: (sessionId) => titleOf.get(sessionId)!,
    saidIn,
    endOfTitles: (after) => endOfStep(sizedTitles.all(after, stepRows)),
    endOfSaid: (after) => endOfStep(sizedEvents.all(after, stepRows)),
  }
}

function endOfStep(rows: readonly SizedRow[]): number | undefined {
  let bytes = 0
  const end = rows.find((row) => (bytes += row.bytes) >= stepBytes) ?? rows.at(-1)
  return end?.number
}

/** What is no event has no text; verify reports it. */
function decodeSaid([number, tenant, ...row]: SaidRow): SearchRow {
  try {
    return { number, tenant, text: saidText(decodeEvent(row).event) ?? '' }
  } catch (error) {
    if (!DaybookError.is(error)) throw error
    return { number, tenant, text: '' }
  }
}
