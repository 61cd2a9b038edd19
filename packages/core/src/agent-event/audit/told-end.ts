import { encodeCanonicalJson } from '../../json/canonical-json.ts'
import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { InvocationState } from '../../invocation/invocation-state.ts'
import { isKnownContent } from '../../runtime-event/known-content.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import type { AgentEvent, AgentEventHeader } from '../../ports/agent-event-store.ts'
import { agentRunEnd, agentEventMaxAgeCode } from '../log/run-end.ts'
import { agentEventsOf, agentEventsOfFailure } from '../mapping/map.ts'
import { newAgent, text, type ToldRun, untoldRun } from '../mapping/told-run.ts'

/** Whether a sweep ended the log because of its age, whatever became of the run. */
export function isEndOfSweep({ type, code }: AgentEvent): boolean {
  return type === 'RUN_ERROR' && code === agentEventMaxAgeCode
}

/** The states of which an event tells that ends a run. */
export function statesToldBy(end: AgentEvent): readonly InvocationState[] {
  if (end.type === 'RUN_ERROR') {
    // A client that is older than AG-UI 1.0 is told of a stop as of a failure.
    return end.code === 'CANCELLED' ? ['aborted', 'cancelled', 'failed'] : ['failed']
  }
  const { outcome, result } = end
  if (agentRunEnd(end) === 'interrupt' || (isObject(result) && result.stopReason === 'waiting')) return ['waiting']
  return isObject(outcome) && outcome.type === 'cancelled' ? ['aborted', 'cancelled'] : ['completed']
}

/** The sub-agent that an event ends, in either of its forms; undefined for any other event. */
export function endedAgent({ type, value, ...event }: AgentEvent): string | undefined {
  if (type === 'CUSTOM') return text(isObject(value) ? (value as JsonObject).subagentRunId : undefined)
  return type === 'SUBAGENT_FINISHED' || type === 'SUBAGENT_ERROR' ? text(event.subagentRunId) : undefined
}

/** What is to be held against the end of an invocation. */
export interface ToldEnd {
  /** The ends of sub-agents, then that of the run. */
  readonly rows: readonly AgentEvent[]
  readonly header: AgentEventHeader
  /** Rows are missing: who ended the log may have known the ledger alone. */
  readonly hasGap: boolean
}

/** Whether the rows are what the terminal event is told as, which has this state, after facts that ask and count this. */
export function isToldEnd(
  { rows, header, hasGap }: ToldEnd,
  terminal: RuntimeEvent,
  state: InvocationState,
  facts: Pick<ToldRun, 'requests' | 'usage'>,
): boolean {
  try {
    const said = rows.map((row) => comparable(row, hasGap))
    const requests = requestsAsTold(facts, rows.at(-1)!)
    const expected = endings(terminal, state, hasGap).map((tell) => {
      const agents = new Map([['', newAgent([])]])
      for (const row of rows.slice(0, -1).toReversed()) agents.set(endedAgent(row) ?? '', newAgent(['']))
      const told = { ...untoldRun(header), requests, usage: facts.usage, agents }
      return tell({ ...told, isStarted: true }).map((row) => comparable(row, hasGap))
    })
    return said.every((row, index) => expected.some((one) => one[index] === row && one.length === said.length))
  } catch {
    // It is nested more deeply than anything that is told.
    return false
  }
}

type TellEnd = (told: ToldRun) => readonly AgentEvent[]

/** Who knows the ledger alone does not tell of a failure what its message was, and names somebody who stopped the run. */
function endings({ content, actions, turnId }: RuntimeEvent, state: InvocationState, hasGap: boolean): TellEnd[] {
  const base = { id: '', turnId, ts: 0 }
  const { stopReason = 'end_turn', failureCode = 'error', abortSource } = actions?.ending ?? {}
  const failsWith =
    (code: string, message: string): TellEnd =>
    (told) =>
      agentEventsOfFailure(told, { code, message })
  switch (state) {
    case 'aborted':
    case 'cancelled': {
      const sources = abortSource === undefined && hasGap ? [undefined, 'user'] : [abortSource]
      return sources.map(
        (source) => (told) => agentEventsOf(told, { ...base, type: 'abort', ...(source !== undefined && { source }) }),
      )
    }
    case 'failed': {
      const plain = failsWith(failureCode, `The run failed: ${failureCode}.`)
      if (!isKnownContent(content) || content.kind !== 'error') return [plain]
      const whole = failsWith(content.code ?? 'error', content.message)
      return hasGap ? [whole, plain] : [whole]
    }
    default:
      return [(told) => agentEventsOf(told, { ...base, type: 'complete', stopReason })]
  }
}

/** The requests with their payloads as they were told, where these say the same: what is shown of one depends on its order. */
function requestsAsTold({ requests }: Pick<ToldRun, 'requests'>, { outcome }: AgentEvent): ToldRun['requests'] {
  const interrupts = isObject(outcome) && Array.isArray(outcome.interrupts) ? (outcome.interrupts as JsonValue[]) : []
  const payloads = new Map(
    interrupts.map((one) => [field(one, 'id'), field(field(field(one, 'metadata'), 'daybook'), 'payload')]),
  )
  return new Map(
    [...requests].map(([id, request]) => {
      const told = payloads.get(id)
      const isSame = told !== undefined && encodeCanonicalJson(told) === encodeCanonicalJson(request.payload)
      return [id, isSame ? { ...request, payload: told } : request]
    }),
  )
}

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? (value as JsonObject)[name] : undefined
}

/** The event without what the ledger does not say: its time, until when can be answered, and with a gap what rows had to say. */
function comparable(event: AgentEvent, hasGap: boolean): string {
  const { timestamp: _, ...rest } = event
  const told: Record<string, JsonValue> = rest
  if (hasGap) delete told.usage
  const outcome = { ...(isObject(told.outcome) ? (told.outcome as JsonObject) : {}) } as Record<string, JsonValue>
  if (hasGap) delete outcome.interruptIds
  if (Array.isArray(outcome.interrupts)) {
    const interrupts = (outcome.interrupts as JsonObject[]).map((one) => {
      const { expiresAt: __, subagentRunId, ...shown } = one
      return encodeCanonicalJson(hasGap || subagentRunId === undefined ? shown : { ...shown, subagentRunId })
    })
    outcome.interrupts = hasGap ? interrupts.toSorted() : interrupts
  }
  return encodeCanonicalJson(isObject(told.outcome) ? { ...told, outcome } : told)
}
