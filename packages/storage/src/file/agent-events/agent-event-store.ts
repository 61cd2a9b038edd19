import {
  AGENT_EVENT_SWEEP_CLAIM_MS,
  type AgentEventRow,
  type AgentEventStore,
  checkAgentEventFloor,
  checkAgentEventHeader,
  checkAgentEventSeq,
  checkAgentEventTime,
  checkAgentEventTrim,
  checkNextAgentEventSeq,
  checkPageLimit,
  checkPosition,
  encodeAgentEventRow,
  InvalidInputError,
} from '@daybook/core'
import { listRuns } from '../../agent-events/list-runs.ts'
import { pageOf } from '../../agent-events/page-of.ts'
import { rowsOfPage } from '../../agent-events/rows-of-page.ts'
import { locateFolder } from '../../sqlite/locate.ts'
import { encodeLine, encodeRow, type RowLine } from './lines.ts'
import { LogFolder } from './log-folder.ts'
import { readRows } from './log-file.ts'

export interface FileOptions {
  /**
   * `full` (default): an acknowledged write survives a crash of the process, of the system, and a power failure.
   * `normal`: it survives a crash of the process; a crash of the system may take back the last writes.
   */
  readonly durability?: 'full' | 'normal'
}

/**
 * Delivery logs in the folder, which exists: a file of JSON lines for each run. For demos, tests and looking at with one's
 * own eyes: a listing, and so each sweep, looks at every file. Any number of processes of one host may write; not over a
 * network file system. Throws `RootUnusableError`, `InvalidInputError`.
 */
export function createFileAgentEventStore(
  folder: string,
  { durability = 'full' }: FileOptions = {},
): AgentEventStore & { readonly close: () => void } {
  if (durability !== 'full' && durability !== 'normal') {
    throw new InvalidInputError('durability', 'must be full or normal')
  }
  const logs = new LogFolder(locateFolder(folder), durability === 'full')
  return {
    async createHeader(given) {
      const header = checkAgentEventHeader(given)
      return logs.write(header.runId, (writer) => {
        const isFree = writer.log === undefined
        if (isFree) writer.create(header)
        return isFree
      })
    },
    async writeHeader(given) {
      const header = checkAgentEventHeader(given)
      await logs.write(header.runId, (writer) => {
        if (writer.log === undefined) writer.create(header)
        else writer.add(encodeLine({ kind: 'header', header }))
      })
    },
    async readHeader(runId) {
      return structuredClone(logs.read(runId, ({ header }) => header))
    },
    async readState(runId) {
      return logs.read(runId, ({ header, lastSeq, bytes, floor, truncated }) => {
        return { header: structuredClone(header), lastSeq, bytes, floor, truncated }
      })
    },
    async append(runId, row) {
      const record = encodeAgentEventRow(row)
      await logs.write(runId, (writer) => {
        checkNextAgentEventSeq(runId, record.seq, writer.log?.lastSeq)
        writer.add(encodeRow(record))
      })
    },
    async read(runId) {
      return logs.read(runId, (log, descriptor) => {
        return { header: structuredClone(log.header), rows: Array.from(readRows(descriptor, log, 1), decodeRow) }
      })
    },
    async readPage(runId, { after, limit } = {}) {
      const [position, pageLimit] = [checkPosition(after), checkPageLimit(limit)]
      const page = logs.read(runId, (log, descriptor) => {
        const rows = readRows(descriptor, log, position + 1)
        const items = rowsOfPage(rows, pageLimit, ({ text }) => text).map(decodeRow)
        return pageOf(items, log, log.header)
      })
      return page ?? { items: [], next: null, floor: 1 }
    },
    async readWriteId(runId, seq) {
      checkAgentEventSeq(seq)
      return logs.read(runId, (log, descriptor) => {
        const first = readRows(descriptor, log, seq).next().value
        return first?.row.seq === seq ? first.row.writeId : undefined
      })
    },
    async maxSeq(runId) {
      return logs.read(runId, ({ lastSeq }) => lastSeq) ?? 0
    },
    async truncated(runId) {
      return logs.read(runId, ({ truncated }) => truncated) ?? false
    },
    async claim(runId, now) {
      checkAgentEventTime('now', now)
      return logs.write(runId, (writer) => {
        const { log } = writer
        if (log === undefined) return false
        if (log.claimedAt !== null && now < log.claimedAt + AGENT_EVENT_SWEEP_CLAIM_MS) return false
        writer.add(encodeLine({ kind: 'claim', at: now }))
        return true
      })
    },
    async listRuns(query) {
      return structuredClone(listRuns(await logs.headers(), query))
    },
    async trim(runId, floor) {
      checkAgentEventFloor(floor)
      await logs.write(runId, (writer) => {
        checkAgentEventTrim(runId, floor, writer.log?.lastSeq)
        if (floor > writer.log!.floor) writer.trim(floor)
      })
    },
    async remove(runId) {
      return logs.write(runId, (writer) => {
        const isThere = writer.log !== undefined
        if (isThere) writer.remove()
        return isThere
      })
    },
    close: () => logs.close(),
  }
}

function decodeRow({ row: { seq, event } }: { readonly row: RowLine }): AgentEventRow {
  return { seq, event }
}
