import {
  AGENT_EVENT_SWEEP_CLAIM_MS,
  type AgentEventStore,
  checkAgentEventFloor,
  checkAgentEventHeader,
  checkAgentEventSeq,
  checkAgentEventTime,
  checkAgentEventTrim,
  checkId,
  checkPageLimit,
  checkPosition,
  encodeAgentEventRow,
  type StorageIdentity,
} from '@daybook/core'
import { createGate } from '../gate.ts'
import { listRuns } from '../../agent-events/list-runs.ts'
import { pageOf } from '../../agent-events/page-of.ts'
import { rowsOfPage } from '../../agent-events/rows-of-page.ts'
import {
  createMemoryAgentEventLogs,
  decodeRow,
  type MemoryAgentEventLogs,
  prepareLogWrites,
  putHeader,
} from './logs.ts'

/** Delivery logs in memory: an acknowledged row survives nothing. */
export function createMemoryAgentEventStore(): AgentEventStore {
  return memoryAgentEventStore(createMemoryAgentEventLogs())
}

export function memoryAgentEventStore(logs: MemoryAgentEventLogs, storage?: StorageIdentity): AgentEventStore {
  const { runs, watchers } = logs
  const gate = createGate()
  const find = (runId: string) => {
    gate.check()
    return runs.get(checkId('runId', runId))
  }
  return {
    ...(storage && { storage }),
    async createHeader(given) {
      gate.check()
      const header = checkAgentEventHeader(given)
      if (runs.has(header.runId)) return false
      putHeader(runs, header)
      watchers.tell(header.runId)
      return true
    },
    async writeHeader(given) {
      gate.check()
      const header = checkAgentEventHeader(given)
      putHeader(runs, header)
      watchers.tell(header.runId)
    },
    async readHeader(runId) {
      return structuredClone(find(runId)?.header)
    },
    async readState(runId) {
      const log = find(runId)
      if (log === undefined) return undefined
      const { header, lastSeq, bytes, floor, truncated } = log
      return { header: structuredClone(header), lastSeq, bytes, floor, truncated }
    },
    async append(runId, row) {
      gate.check()
      prepareLogWrites(logs, checkId('runId', runId), { header: undefined, rows: [encodeAgentEventRow(row)] })()
    },
    async read(runId) {
      const log = find(runId)
      return log && { header: structuredClone(log.header), rows: log.rows.map(decodeRow) }
    },
    async readPage(runId, { after, limit } = {}) {
      const [position, pageLimit, log] = [checkPosition(after), checkPageLimit(limit), find(runId)]
      if (log === undefined) return { items: [], next: null, floor: 1 }
      const start = Math.max(position + 1 - log.floor, 0)
      const rows = log.rows.slice(start, start + pageLimit)
      const items = rowsOfPage(rows, pageLimit, ({ json }) => json).map(decodeRow)
      return pageOf(items, log, log.header)
    },
    async readWriteId(runId, seq) {
      const [log, index] = [find(runId), checkAgentEventSeq(seq)]
      return log?.rows[index - log.floor]?.writeId ?? undefined
    },
    async maxSeq(runId) {
      return find(runId)?.lastSeq ?? 0
    },
    async truncated(runId) {
      return find(runId)?.truncated ?? false
    },
    async claim(runId, now) {
      const [time, log] = [checkAgentEventTime('now', now), find(runId)]
      if (log === undefined) return false
      if (log.claimedAt !== null && time < log.claimedAt + AGENT_EVENT_SWEEP_CLAIM_MS) return false
      log.claimedAt = time
      return true
    },
    async listRuns(query) {
      gate.check()
      const headers = Array.from(runs.values(), ({ header }) => header)
      return structuredClone(listRuns(headers, query))
    },
    async trim(runId, floor) {
      const log = find(runId)
      checkAgentEventTrim(runId, checkAgentEventFloor(floor), log?.lastSeq)
      if (floor <= log!.floor) return
      log!.rows = log!.rows.filter(({ seq }) => seq >= floor)
      log!.floor = floor
      watchers.tell(runId)
    },
    async remove(runId) {
      const found = find(runId) !== undefined
      runs.delete(runId)
      if (found) watchers.tell(runId)
      return found
    },
    watch: watchers.watch,
    close() {
      gate.close()
      for (const runId of watchers.runIds()) watchers.tell(runId)
    },
  }
}
