import { insertForeignRow } from '../src/memory/foreign-rows.ts'
import { createMemoryLedger, type MemoryRow, sessionOf } from '../src/memory/ledger.ts'
import { memoryStorage } from '../src/memory/open-memory.ts'
import type { Tampered } from './tampered.ts'

export function tamperedMemory(): Tampered {
  const ledger = createMemoryLedger(() => 1)
  const rowsOf = (invocationId: string) => ledger.invocations.get(invocationId)!.rows
  const rowOf = (invocationId: string, eventSeq: number) =>
    rowsOf(invocationId).find((row) => row.eventSeq === eventSeq)!

  function replace(old: MemoryRow, changed?: MemoryRow): void {
    for (const [rows, seq] of [
      [rowsOf(old.invocationId), 'eventSeq'],
      [ledger.sessions.get(old.sessionId)!.rows, 'sessionSeq'],
    ] as const) {
      rows.splice(rows.indexOf(old), 1)
      if (changed !== undefined) rows.push(changed)
      rows.sort((a, b) => a[seq] - b[seq])
    }
  }

  return {
    storage: memoryStorage(ledger),
    insertForeignRow: (row) => insertForeignRow(ledger, row),
    payloadOf: ({ invocationId }, eventSeq) => rowOf(invocationId, eventSeq).payload,
    updateEvent({ invocationId }, eventSeq, changes) {
      const old = rowOf(invocationId, eventSeq)
      replace(old, { ...old, ...changes } as MemoryRow)
    },
    deleteEvent: ({ invocationId }, eventSeq) => replace(rowOf(invocationId, eventSeq)),
    updateHead: ({ invocationId }, changes) =>
      void ledger.heads.set(invocationId, { ...ledger.heads.get(invocationId)!, ...changes }),
    deleteHead: ({ invocationId }) => void ledger.heads.delete(invocationId),
    updateRun: ({ runId }, changes) => void ledger.runs.set(runId, { ...ledger.runs.get(runId)!, ...changes }),
    deleteRun: ({ runId }) => void ledger.runs.delete(runId),
    updateRequest(sessionId, requestId, changes) {
      const { requests } = ledger.sessions.get(sessionId)!
      requests.set(requestId, { ...requests.get(requestId)!, ...changes })
    },
    deleteRequest: (sessionId, requestId) => void ledger.sessions.get(sessionId)!.requests.delete(requestId),
    copyRequest(sessionId, requestId, changes) {
      const copy = { ...ledger.sessions.get(sessionId)!.requests.get(requestId)!, ...changes }
      sessionOf(ledger, copy.sessionId).requests.set(copy.requestId, copy)
    },
    deleteSession: ({ sessionId }) => void delete ledger.sessions.get(sessionId)!.record,
    dispose() {},
  }
}
