import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { encodeAgentEventRow } from '../../ports/check-agent-event.ts'
import type { SessionEvent, UnknownSessionEvent } from '../../session-event/session-event.ts'
import { agentEventsOf } from './map.ts'
import { untoldRun } from './told-run.ts'

const base = { id: 'e', turnId: 't', ts: 1 }
const large = 'x'.repeat(5_000_000)
const agent = { agentPath: ['helper'] }

function told(...events: readonly (SessionEvent | UnknownSessionEvent)[]): readonly AgentEvent[] {
  const run = untoldRun({ runId: 'r', threadId: 's', protocolVersion: '1.0' })
  const shown = events.flatMap((event) => agentEventsOf(run, event))
  for (const event of shown) encodeAgentEventRow({ seq: 1, event })
  return shown
}

interface Interrupt {
  readonly metadata: { readonly daybook: object }
}

function interruptsOf(events: readonly AgentEvent[]): readonly Interrupt[] {
  return (events.at(-1)!.outcome as unknown as { readonly interrupts: readonly Interrupt[] }).interrupts
}

function requests(count: number, request: unknown): SessionEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const requestId = `${index} ${'\u0001'.repeat(190)}`
    return { type: 'sandbox_boundary_request', ...base, id: `e${index}`, ...agent, requestId, request }
  })
}

describe('what no store could take', () => {
  test('is told without the fields that are too large, and with how much is left out', () => {
    const [, preview] = told({ type: 'tool_result_preview', ...base, toolCallId: 'c', result: large })
    assert.deepEqual(preview?.value, { toolCallId: 'c' })
    assert.deepEqual(preview?.metadata, { daybook: { omittedBytes: 5_000_012 } })
    const [, unknown] = told({ type: 'novelty', ...base, first: large.slice(0, 3_000_000), second: large, third: 3 })
    assert.deepEqual(Object.keys(unknown?.value as object).sort(), ['first', 'id', 'third', 'ts', 'turnId', 'type'])
    const [, retry] = told({ type: 'provider_retry', ...base, message: large })
    assert.deepEqual(retry?.value, {})
  })

  test('is told whole where a store takes it', () => {
    const result = large.slice(0, 3_000_000)
    const [, preview] = told({ type: 'tool_result_preview', ...base, toolCallId: 'c', result })
    assert.deepEqual([preview?.value, preview?.metadata], [{ toolCallId: 'c', result }, undefined])
  })

  test('is no interrupt: those of large requests come without what is asked, and of very many the first', () => {
    const complete: SessionEvent = { type: 'complete', ...base, stopReason: 'waiting' }
    for (const [count, size, interrupts] of [
      [1, 1_000_000, 1],
      [5, 1_000_000, 5],
      [5000, 1, 1000],
    ] as const) {
      const shown = interruptsOf(told(...requests(count, large.slice(0, size)), complete))
      assert.ok(shown.length >= interrupts && shown.length <= count, `${shown.length} of ${count}`)
      assert.equal('payload' in shown[0]!.metadata.daybook, count === 1)
    }
  })
})
