import {
  type AgentEventHeader,
  type AgentEventRow,
  type AgentEventStore,
  checkAgentEventFloor,
  checkAgentEventHeader,
  checkAgentEventRunQuery,
  checkAgentEventSeq,
  checkAgentEventTime,
  checkAgentEventTrim,
  checkId,
  checkNextAgentEventSeq,
  checkPageLimit,
  checkPosition,
  encodeAgentEventRow,
  maxAgentEventPageLength,
} from '@daybook/core'
import { decodeRow } from '../../agent-events/decode-row.ts'
import {
  decodeHeader,
  decodeState,
  encodeHeader,
  indexPosition,
  openingOf,
  type StateColumns,
} from '../../agent-events/log-columns.ts'
import { pageOf } from '../../agent-events/page-of.ts'
import { runsPage } from '../../agent-events/runs-page.ts'
import { postgresError } from '../errors.ts'
import { migrations } from '../migrations/index.ts'
import { migrate } from '../migrations/migrate.ts'
import type { SqlConnection } from '../sql-connection.ts'
import * as statements from './statements.ts'

type RawColumns = { readonly [Name in keyof StateColumns]: unknown }

/**
 * Delivery logs in a PostgreSQL database, in the first schema of the connection's search path. What they need there is
 * created, or brought up to this code, first. Throws `NewerLedgerError` or a storage error.
 */
export async function createPostgresAgentEventStore(sql: SqlConnection): Promise<AgentEventStore> {
  const run = async <Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> => {
    try {
      return (await sql.query<Row>(text, values)).rows
    } catch (error) {
      throw postgresError(error)
    }
  }
  const readLog = async (runId: string): Promise<StateColumns | undefined> => {
    checkId('runId', runId)
    const [log] = await run<RawColumns>(statements.selectLog, runId)
    return log && decodeColumns(log)
  }
  const readRows = async (runId: string, after: number, limit: number | null, maxLength: number) => {
    type Row = RawColumns & { readonly seq: unknown; readonly json: string }
    const rows = await run<Row>(statements.selectRows, runId, after, limit, maxLength)
    const items: AgentEventRow[] = rows
      .filter(({ seq }) => seq !== null)
      .map(({ seq, json }) => decodeRow(runId, Number(seq), json))
    return rows[0] && { log: decodeColumns(rows[0]), items }
  }
  try {
    await migrate(sql, migrations)
  } catch (error) {
    throw postgresError(error)
  }
  return {
    async createHeader(given) {
      return (await run(statements.insertLog, ...valuesOf(given))).length > 0
    },
    async writeHeader(given) {
      await run(statements.upsertLog, ...valuesOf(given))
    },
    async readHeader(runId) {
      const log = await readLog(runId)
      return log && decodeHeader(log)
    },
    async readState(runId) {
      const log = await readLog(runId)
      return log && decodeState(log)
    },
    async append(runId, row) {
      checkId('runId', runId)
      const { seq, json, bytes, truncates, writeId, finishedAt } = encodeAgentEventRow(row)
      const values = [runId, seq, bytes, truncates, finishedAt, writeId, json]
      while ((await run(statements.insertRow, ...values)).length === 0) {
        // Where it is next by now, the log was removed and opened anew in between.
        checkNextAgentEventSeq(runId, seq, (await readLog(runId))?.lastSeq)
      }
    },
    async read(runId) {
      checkId('runId', runId)
      const found = await readRows(runId, 0, null, Number.MAX_SAFE_INTEGER)
      return found && { header: decodeHeader(found.log), rows: found.items }
    },
    async readPage(runId, { after, limit } = {}) {
      const [position, pageLimit] = [checkPosition(after), checkPageLimit(limit)]
      checkId('runId', runId)
      const found = await readRows(runId, position, pageLimit, maxAgentEventPageLength)
      if (found === undefined) return { items: [], next: null, floor: 1 }
      const { log, items } = found
      return pageOf(items, log, openingOf(log))
    },
    async readWriteId(runId, seq) {
      checkId('runId', runId)
      checkAgentEventSeq(seq)
      const [row] = await run<{ writeId: string | null }>(statements.selectWriteId, runId, seq)
      return row?.writeId ?? undefined
    },
    async maxSeq(runId) {
      return (await readLog(runId))?.lastSeq ?? 0
    },
    async truncated(runId) {
      return (await readLog(runId))?.truncated === true
    },
    async claim(runId, now) {
      checkId('runId', runId)
      return (await run(statements.updateClaim, runId, checkAgentEventTime('now', now))).length > 0
    },
    async listRuns(query) {
      const { finished, until, after, limit } = checkAgentEventRunQuery(query)
      const statement = finished ? statements.selectFinished : statements.selectOpen
      const rows = await run<RawColumns>(statement, until, ...indexPosition(after), limit + 1)
      return runsPage(rows.map(decodeColumns), limit)
    },
    async trim(runId, floor) {
      checkId('runId', runId)
      while ((await run(statements.trimLog, runId, checkAgentEventFloor(floor))).length === 0) {
        checkAgentEventTrim(runId, floor, (await readLog(runId))?.lastSeq)
      }
    },
    async remove(runId) {
      checkId('runId', runId)
      return (await run(statements.deleteLog, runId)).length > 0
    },
  }
}

function valuesOf(header: AgentEventHeader): readonly unknown[] {
  const { runId, threadId, openedAt, finishedAt, details } = encodeHeader(checkAgentEventHeader(header))
  return [runId, threadId, openedAt, finishedAt, details]
}

/** Drivers give 64-bit integers as they like. */
function decodeColumns(row: RawColumns): StateColumns {
  const { runId, threadId, openedAt, finishedAt, details, lastSeq, bytes, floor, truncated } = row
  return {
    runId: runId as string,
    threadId: threadId as string,
    openedAt: Number(openedAt),
    finishedAt: finishedAt === null ? null : Number(finishedAt),
    details: details as string,
    lastSeq: Number(lastSeq),
    bytes: Number(bytes),
    floor: Number(floor),
    truncated: truncated === true,
  }
}
