import {
  type AgentEventStore,
  checkAgentEventFloor,
  checkAgentEventHeader,
  checkAgentEventRunQuery,
  checkAgentEventSeq,
  checkAgentEventTime,
  checkId,
  checkPageLimit,
  checkPosition,
  encodeAgentEventRow,
} from '@daybook/core'
import { decodeHeader, decodeState } from '../../agent-events/log-columns.ts'
import type { Lease } from '../lease.ts'
import type { LogRow } from './read-log.ts'

/** Delivery logs in the file of the ledger. */
export function sqliteAgentEventStore(lease: Lease): AgentEventStore {
  const readLog = async <Result>(runId: string, decode: (log: LogRow) => Result): Promise<Result | undefined> => {
    checkId('runId', runId)
    const log = await lease.read(({ agentEventLogs }) => agentEventLogs.ofRun(runId))
    return log && decode(log)
  }
  return {
    storage: lease.identity,
    async createHeader(given) {
      const header = checkAgentEventHeader(given)
      return lease.write(({ writeLog }) => writeLog.create(header))
    },
    async writeHeader(given) {
      const header = checkAgentEventHeader(given)
      return lease.write(({ writeLog }) => writeLog.header(header))
    },
    readHeader: (runId) => readLog(runId, decodeHeader),
    readState: (runId) => readLog(runId, decodeState),
    async append(runId, row) {
      checkId('runId', runId)
      const record = encodeAgentEventRow(row)
      return lease.write(({ agentEventRows }) => agentEventRows.append(runId, record))
    },
    async read(runId) {
      checkId('runId', runId)
      return lease.read(({ agentEventRows }) => agentEventRows.all(runId))
    },
    async readPage(runId, { after, limit } = {}) {
      const [position, pageLimit] = [checkPosition(after), checkPageLimit(limit)]
      checkId('runId', runId)
      return lease.read(({ agentEventRows }) => agentEventRows.page(runId, position, pageLimit))
    },
    async readWriteId(runId, seq) {
      checkId('runId', runId)
      checkAgentEventSeq(seq)
      return lease.read(({ agentEventRows }) => agentEventRows.writeId(runId, seq))
    },
    maxSeq: async (runId) => (await readLog(runId, ({ lastSeq }) => lastSeq)) ?? 0,
    truncated: async (runId) => (await readLog(runId, ({ truncated }) => truncated === 1)) ?? false,
    async claim(runId, now) {
      checkId('runId', runId)
      checkAgentEventTime('now', now)
      return lease.write(({ writeLog }) => writeLog.claim(runId, now))
    },
    async listRuns(query) {
      const { finished, until, after, limit } = checkAgentEventRunQuery(query)
      return lease.read(({ agentEventLogs }) => agentEventLogs.list(finished, until, after, limit))
    },
    async trim(runId, floor) {
      checkId('runId', runId)
      checkAgentEventFloor(floor)
      return lease.write(({ writeLog }) => writeLog.trim(runId, floor))
    },
    async remove(runId) {
      checkId('runId', runId)
      return lease.write(({ writeLog }) => writeLog.remove(runId))
    },
    watch: lease.watch,
    close: lease.close,
  }
}
