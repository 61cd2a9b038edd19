import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { agentEventsOf, untoldRun } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import { readLiveEvents } from './live-event.ts'

const base = { id: '', turnId: '', ts: 0 }
const toolCallId = 'call'
const read = { toolCallId, toolName: 'read' }

function readBack(events: readonly SessionEvent[]): string[] {
  const told = untoldRun({ runId: 'run', threadId: 'session' })
  const live = readLiveEvents()
  return events
    .flatMap((event) => agentEventsOf(told, event))
    .flatMap((event) => {
      const { type, text, args, outcome, result, message } = Object(live(event))
      return type === undefined ? [] : [JSON.stringify({ type, text, args, outcome, result, message })]
    })
}

describe('the delivery log', () => {
  test('is read back as what was told', () => {
    const args = { path: 'a.md' }
    assert.deepEqual(
      readBack([
        { ...base, type: 'text_delta', messageId: 'm', text: 'he' },
        { ...base, type: 'text_complete', messageId: 'm', text: 'hello' },
        { ...base, type: 'tool_input_delta', ...read, text: '{"pa' },
        { ...base, type: 'tool_start', ...read, args },
        { ...base, type: 'tool_result', toolCallId, result: { lines: [] } },
        { ...base, type: 'tool_start', ...read, toolCallId: 'lost', args },
        { ...base, type: 'tool_result', toolCallId: 'lost', outcome: 'unknown', result: null },
        { ...base, type: 'error', message: 'no more' },
        { ...base, type: 'complete', stopReason: 'end_turn' },
      ]),
      [
        '{"type":"text_delta","text":"he"}',
        '{"type":"text_delta","text":"llo"}',
        '{"type":"text_complete","text":""}',
        '{"type":"tool_start","args":{"path":"a.md"}}',
        '{"type":"tool_result","outcome":"ok","result":{"lines":[]}}',
        '{"type":"tool_start","args":{"path":"a.md"}}',
        '{"type":"tool_result","outcome":"unknown","result":null}',
        '{"type":"error","message":"no more"}',
      ],
    )
  })

  test('is read with what replaces texts and arguments that were told otherwise', () => {
    assert.deepEqual(
      readBack([
        { ...base, type: 'text_delta', messageId: 'm', text: 'he' },
        { ...base, type: 'text_complete', messageId: 'm', text: 'bye' },
        { ...base, type: 'tool_input_delta', ...read, text: '{"path":"b' },
        { ...base, type: 'tool_start', ...read, args: {} },
      ]),
      [
        '{"type":"text_delta","text":"he"}',
        '{"type":"text_delta","text":"\\nbye"}',
        '{"type":"text_complete","text":""}',
        '{"type":"tool_start","args":{}}',
      ],
    )
  })
})
