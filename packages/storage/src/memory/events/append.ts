import { type AppendedEvent, type AppendRequest, encodeEvents, planAppend, RunNotFoundError } from '@daybook/core'
import { sha256 } from '../../sha256.ts'
import { type MemoryLedger, sessionHead, writePlan } from '../ledger.ts'

export function append(ledger: MemoryLedger, request: AppendRequest): readonly AppendedEvent[] {
  const events = encodeEvents(request.invocationId, request.events)
  const head = ledger.heads.get(request.invocationId)
  const invocation = ledger.invocations.get(request.invocationId)
  if (head === undefined || invocation === undefined) throw new RunNotFoundError(request.invocationId)
  const { rows, byEventId } = invocation
  const state = {
    head,
    sessionHead: sessionHead(ledger, head.sessionId),
    findRow: (eventId: string) => {
      const row = byEventId.get(eventId)
      return row && { ...row, json: row.payload }
    },
    digestsAfter: (eventSeq: number) =>
      rows
        .filter((row) => row.eventSeq > eventSeq)
        .map((row) => ({ ...row, payloadDigest: row.payloadDigest ?? sha256(row.payload) })),
  }
  const plan = planAppend(sha256, state, request.epoch, events)
  writePlan(ledger, plan)
  return plan.appended
}
