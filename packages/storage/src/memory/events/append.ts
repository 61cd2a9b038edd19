import {
  type AgentEventWriteRecords,
  type AppendedEvent,
  type AppendRequest,
  checkAnswersOnly,
  checkRequests,
  type EncodedEvent,
  encodeAgentEventWrites,
  encodeEvents,
  type InvocationHead,
  planAppend,
  RunNotFoundError,
} from '@daybook/core'
import { sha256 } from '../../sha256.ts'
import { prepareLogWrites } from '../agent-events/logs.ts'
import { type MemoryLedger, sessionHead, writePlan } from '../ledger.ts'
import { findRequest } from './requests.ts'

export function append(ledger: MemoryLedger, request: AppendRequest): readonly AppendedEvent[] {
  const events = encodeEvents(request.invocationId, request.events)
  const agentEvents = request.agentEvents && encodeAgentEventWrites(request.agentEvents)
  return appendEncoded(ledger, headOf(ledger, request.invocationId), request.epoch, events, agentEvents)
}

export function appendAnswers(ledger: MemoryLedger, request: Omit<AppendRequest, 'epoch'>): readonly AppendedEvent[] {
  const events = encodeEvents(request.invocationId, request.events)
  checkAnswersOnly(events)
  const head = headOf(ledger, request.invocationId)
  if (head.epoch === 0) throw new RunNotFoundError(head.runId)
  return appendEncoded(ledger, head, head.epoch, events)
}

function appendEncoded(
  ledger: MemoryLedger,
  head: InvocationHead,
  epoch: number,
  events: readonly EncodedEvent[],
  agentEvents?: AgentEventWriteRecords,
): readonly AppendedEvent[] {
  const { invocationId, sessionId } = head
  const { rows, byEventId } = ledger.invocations.get(invocationId)!
  const state = {
    head,
    sessionHead: sessionHead(ledger, sessionId),
    findRow: (eventId: string) => {
      const row = byEventId.get(eventId)
      return row && { ...row, json: row.payload }
    },
    digestsAfter: (eventSeq: number) =>
      rows
        .filter((row) => row.eventSeq > eventSeq)
        .map((row) => ({ ...row, payloadDigest: row.payloadDigest ?? sha256(row.payload) })),
  }
  const plan = planAppend(sha256, state, epoch, events)
  const committedAt = ledger.now()
  checkRequests(plan.rows, (requestId) => findRequest(ledger, sessionId, requestId), committedAt)
  const writeLog = prepareLogWrites(ledger.agentEvents, head.runId, agentEvents)
  writePlan(ledger, plan, committedAt)
  writeLog()
  return plan.appended
}

function headOf(ledger: MemoryLedger, invocationId: string): InvocationHead {
  const head = ledger.heads.get(invocationId)
  if (head === undefined) throw new RunNotFoundError(invocationId)
  return head
}
