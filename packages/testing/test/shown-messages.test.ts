import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AbstractAgent } from '@ag-ui/client'
import { type AgentEvent, agentEventsOf, type AgentRun, untoldRun } from '@daybook/core'
import { decodeSessionEvent } from '@daybook/core/events'
import { AbstractAgent as OlderAgent } from 'ag-ui-client-0.0.59'
import { from } from 'rxjs'

const answer = (run: string): readonly object[] => [
  { type: 'thinking_delta', messageId: 'thinking-1', text: 'Look ' },
  { type: 'thinking_complete', messageId: 'thinking-1', text: 'Look it up.', providerMetadata: 'signed' },
  { type: 'text_delta', messageId: 'text-1', text: 'One mo' },
  { type: 'tool_input_delta', toolCallId: `${run}-c`, toolName: 'search', text: '{"q":' },
  { type: 'text_delta', messageId: 'text-1', text: 'ment.' },
  { type: 'text_complete', messageId: 'text-1', text: 'One moment.' },
  { type: 'tool_start', toolCallId: `${run}-c`, toolName: 'search', args: { q: 'tea' } },
  { type: 'tool_start', toolCallId: `${run}-d`, toolName: 'search', args: { q: 'milk' } },
  { type: 'tool_result', toolCallId: `${run}-c`, result: { found: 2 } },
  { type: 'tool_result', toolCallId: `${run}-d`, result: 'nothing' },
  { type: 'text_complete', messageId: 'text-2', text: 'Two.' },
  { type: 'complete', stopReason: 'end_turn' },
]
const call = (id: string, q: string) => ({
  id,
  type: 'function',
  function: { name: 'search', arguments: JSON.stringify({ q }) },
})
const shown = (run: string) => [
  { id: `${run}:reasoning:thinking-1`, role: 'reasoning', content: 'Look it up.', encryptedValue: 'signed' },
  {
    id: `${run}:text:text-1`,
    role: 'assistant',
    content: 'One moment.',
    toolCalls: [call(`${run}-c`, 'tea'), call(`${run}-d`, 'milk')],
  },
  { id: `${run}:result:${run}-c`, role: 'tool', toolCallId: `${run}-c`, content: '{"found":2}' },
  { id: `${run}:result:${run}-d`, role: 'tool', toolCallId: `${run}-d`, content: 'nothing' },
  { id: `${run}:text:text-2`, role: 'assistant', content: 'Two.' },
]

function eventsOf(run: AgentRun): AgentEvent[] {
  const told = untoldRun(run)
  return answer(run.runId).flatMap((event, index) =>
    agentEventsOf(told, decodeSessionEvent({ id: `e${index}`, turnId: 't', ts: 1, ...event }, 't')),
  )
}

const clients = [
  ['1.0.0', AbstractAgent],
  ['0.0.59', OlderAgent as unknown as typeof AbstractAgent],
] as const

describe('the messages of two runs in which a backend names its texts alike', () => {
  for (const [version, Agent] of clients) {
    test(`are what client ${version} shows`, async () => {
      const runs: AgentEvent[][] = ['first', 'second'].map((runId) =>
        eventsOf({ runId, threadId: 'thread', protocolVersion: version }),
      )
      class Replay extends Agent {
        run() {
          return from(runs.shift() as never[])
        }
      }
      const client = new Replay({ threadId: 'thread' })
      await client.runAgent()
      await client.runAgent()
      assert.deepEqual(JSON.parse(JSON.stringify(client.messages)), [...shown('first'), ...shown('second')])
    })
  }
})
