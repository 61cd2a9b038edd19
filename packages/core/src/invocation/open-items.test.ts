import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { RuntimeEventContent } from '../runtime-event/content.ts'
import { encodeCanonicalRuntimeEvent, maxEventBytes } from '../runtime-event/encode.ts'
import type { RuntimeEvent, RuntimeEventRefs } from '../runtime-event/runtime-event.ts'
import { decodeSessionEvent } from '../session-event/decode.ts'
import type { SessionEvent } from '../session-event/session-event.ts'
import { runtimeEventFromSessionEvent } from '../session-event/to-runtime-event.ts'
import { closingEvents, type ClosingEvents, type ClosingStamp } from './closing-events.ts'
import { noOpenItems, trackRuntimeEvent, trackSessionEvent, type OpenItems } from './open-items.ts'

type Yielded = SessionEvent extends infer Event
  ? Event extends SessionEvent
    ? Omit<Event, 'id' | 'turnId' | 'ts'>
    : never
  : never

function after(...events: Yielded[]): OpenItems {
  const items = noOpenItems()
  for (const event of events) trackSessionEvent(items, { id: 'e', turnId: 't', ts: 1, ...event } as SessionEvent)
  return items
}

function close(items: OpenItems, more: Partial<ClosingStamp> = { callOutcome: 'unknown' }): ClosingEvents {
  let ids = 0
  return closingEvents(items, { turnId: 't', newId: () => `close-${++ids}`, now: () => 7, ...more })
}

const delta = (type: 'text_delta' | 'thinking_delta', messageId: string, text: string): Yielded => ({
  type,
  messageId,
  text,
})
const call = (toolCallId: string): Yielded => ({ type: 'tool_start', toolCallId, toolName: 'read', args: {} })

describe('trackSessionEvent', () => {
  test('keeps the text so far of each text and thinking block, which may share an id', () => {
    const items = after(
      { ...delta('thinking_delta', '1', 'hm'), stepId: 's', agentPath: ['a'] },
      delta('text_delta', '1', 'Hel'),
      delta('text_delta', '2', 'x'),
      delta('text_delta', '1', 'lo'),
    )
    assert.deepEqual(close(items).events, [
      {
        type: 'thinking_complete',
        id: 'close-1',
        turnId: 't',
        ts: 7,
        messageId: '1',
        stepId: 's',
        agentPath: ['a'],
        text: 'hm',
        interrupted: true,
      },
      { type: 'text_complete', id: 'close-2', turnId: 't', ts: 7, messageId: '1', text: 'Hello', interrupted: true },
      { type: 'text_complete', id: 'close-3', turnId: 't', ts: 7, messageId: '2', text: 'x', interrupted: true },
    ])
  })

  test('closes nothing that was completed', () => {
    const items = after(
      delta('text_delta', '1', 'a'),
      delta('thinking_delta', '1', 'b'),
      { type: 'text_complete', messageId: '1', text: 'a' },
      { type: 'thinking_complete', messageId: '1', text: 'b' },
      call('c'),
      { type: 'tool_result', toolCallId: 'c', result: 1 },
      { type: 'complete', stopReason: 'end_turn' },
    )
    assert.deepEqual(close(items), { events: [], textCut: false })
  })

  test('lets a repeated event have the fact that it had, whatever was closed and called since', () => {
    const ids = { sessionId: 's', invocationId: 'i', runId: 'r' }
    const toolCallId = fc.constantFrom('a', 'b')
    const event = fc.oneof(
      fc.tuple(toolCallId, fc.constantFrom('read', 'gr\ud800ep')).map(([id, toolName]) => ({ ...call(id), toolName })),
      toolCallId.map((id): Yielded => ({ type: 'tool_result', toolCallId: id, result: 1 })),
      fc
        .tuple(fc.string({ minLength: 1 }), fc.option(toolCallId, { nil: undefined }))
        .map(([requestId, about]): Yielded => ({
          type: 'sandbox_boundary_request',
          requestId,
          request: 1,
          ...(about !== undefined && { toolCallId: about }),
        })),
    )
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const items = noOpenItems()
        const all = events.map((each, index) => ({ id: `e${index}`, turnId: 't', ts: 1, ...each }) as SessionEvent)
        const facts = all.map((each) => {
          const fact = runtimeEventFromSessionEvent(each, ids, items)
          trackSessionEvent(items, each)
          return fact
        })
        assert.deepEqual(
          all.map((each) => runtimeEventFromSessionEvent(each, ids, items)),
          facts,
        )
      }),
    )
  })

  test('closes what is open with events that fit in the ledger, however long its names are', () => {
    const ids = { sessionId: 's', invocationId: 'i', runId: 'r' }
    const longest = { stepId: '\u0001'.repeat(200), agentPath: Array<string>(32).fill('\u0001'.repeat(200)) }
    const id = '\u0002'.repeat(200)
    const begun = [
      { ...delta('text_delta', id, '\u0001'.repeat(160_000)), ...longest },
      { ...call(id), toolName: '\u0001'.repeat(1000), ...longest },
    ].map((event) => decodeSessionEvent({ id: 'e', turnId: 't', ts: 1, ...event }, 't') as SessionEvent)
    const items = noOpenItems()
    for (const event of begun) trackSessionEvent(items, event)
    const { events } = close(items)
    assert.equal(events.length, 2)
    for (const event of events) encodeCanonicalRuntimeEvent(runtimeEventFromSessionEvent(event, ids, items))
  })

  test('closes no block that has no text yet', () => {
    assert.deepEqual(close(after(delta('text_delta', '1', ''))), { events: [], textCut: false })
  })

  test('closes each open tool call with the outcome that the caller knows', () => {
    const items = after(call('a'), { ...call('b'), stepId: 's', providerExecuted: true } as Yielded, call('c'), {
      type: 'tool_result',
      toolCallId: 'a',
      result: 1,
    })
    const base = { type: 'tool_result', turnId: 't', ts: 7, toolName: 'read', outcome: 'not_answered', result: null }
    assert.deepEqual(close(items, { callOutcome: 'not_answered' }).events, [
      { ...base, id: 'close-1', toolCallId: 'b', stepId: 's', providerExecuted: true },
      { ...base, id: 'close-2', toolCallId: 'c' },
    ])
  })

  test('leaves tool calls open that wait for an answer', () => {
    assert.deepEqual(
      close(after(call('a'), delta('text_delta', '1', 'x')), {}).events.map(({ type }) => type),
      ['text_complete'],
    )
  })

  test('keeps the last error for the terminal event to tell', () => {
    const { lastError } = after(
      { type: 'error', message: 'first' },
      { type: 'error', message: 'last', code: 'c' },
      call('a'),
    )
    assert.deepEqual([lastError?.message, lastError?.code], ['last', 'c'])
  })

  test('has nothing open once the closing events are taken in', () => {
    const items = after(delta('text_delta', '1', 'a'), delta('thinking_delta', '1', 'b'), call('c'))
    for (const event of close(items).events) trackSessionEvent(items, event)
    assert.deepEqual(items, noOpenItems())
  })

  test('keeps of a text that no event can hold as much as one can, and says so', () => {
    const chunk = '\u0001'.repeat(1000)
    const items = after(
      ...Array.from({ length: 200 }, () => delta('text_delta', '1', chunk)),
      delta('text_delta', '1', 'x'),
    )
    const { events, textCut } = close(items)
    assert.equal(textCut, true)
    const [event] = events
    assert.ok(event?.type === 'text_complete')
    assert.equal(event.text, chunk.repeat(Math.floor((1024 * 1024 - 64 * 1024) / 6000)))
    assert.ok(Buffer.byteLength(JSON.stringify(event)) < 1024 * 1024)
  })
})

describe('trackRuntimeEvent', () => {
  function stored(content: RuntimeEventContent, refs?: RuntimeEventRefs): RuntimeEvent {
    return {
      id: 'e',
      sessionId: 's',
      invocationId: 'i',
      runId: 'r',
      turnId: 't',
      ts: 1,
      partial: false,
      role: 'model',
      author: 'agent',
      modelVisibility: 'visible',
      content,
      ...(refs && { refs }),
      agentPath: ['sub'],
    }
  }

  test('finds the tool calls that a ledger leaves open', () => {
    const items = noOpenItems()
    const facts = [
      stored({ kind: 'text', text: 'hi' }),
      stored({ kind: 'function_call', toolCallId: 'a', name: 'read', args: {} }),
      stored(
        { kind: 'function_call', toolCallId: 'b', name: 'list', args: {}, providerExecuted: true },
        { stepId: 'step', toolCallId: 'b' },
      ),
      stored({ kind: 'function_response', toolCallId: 'a', name: 'read', outcome: 'ok', result: 1 }),
      stored({ kind: 'function_call' }),
      stored({ kind: 'of_tomorrow', toolCallId: 'b' }),
    ]
    for (const fact of facts) trackRuntimeEvent(items, fact)
    assert.deepEqual(
      [...items.toolCalls.values()],
      [{ toolCallId: 'b', toolName: 'list', providerExecuted: true, stepId: 'step', agentPath: ['sub'] }],
    )
    assert.equal(items.texts.size, 0)
  })

  test('closes a call of a foreign row whose origin no event can repeat', () => {
    const items = noOpenItems()
    const read = { kind: 'function_call', toolCallId: 'a', name: 'read', args: {} } as const
    trackRuntimeEvent(items, { ...stored(read, { stepId: 5 as never }), agentPath: ['x'.repeat(maxEventBytes)] })
    assert.deepEqual([...items.toolCalls.values()], [{ toolCallId: 'a', toolName: 'read' }])
    trackRuntimeEvent(items, stored({ ...read, toolCallId: 'b', name: 'x'.repeat(maxEventBytes) }))
    assert.equal(items.toolCalls.size, 1)
  })

  test('completes the streamed texts that turn out to be stored', () => {
    const items = after(delta('text_delta', '1', 'x'), delta('thinking_delta', '1', 'y'), delta('text_delta', '2', 'z'))
    trackRuntimeEvent(items, stored({ kind: 'text', text: 'x' }, { messageId: '1' }))
    trackRuntimeEvent(items, stored({ kind: 'text', text: 'z' }))
    assert.deepEqual(
      Array.from(items.texts.values(), ({ type, block }) => `${type} ${block.messageId}`),
      ['thinking 1', 'text 2'],
    )
  })

  test('finds open what the live turn had open, at any point of it', () => {
    const toolCallId = fc.constantFrom('a', 'b', 'c')
    const origin = fc.record({ stepId: fc.constant('s'), agentPath: fc.constant(['x']) }, { requiredKeys: [] })
    const event = fc.oneof(
      fc.tuple(toolCallId, origin).map(([id, more]) => ({ ...call(id), ...more })),
      toolCallId.map((id): Yielded => ({ type: 'tool_result', toolCallId: id, result: 1 })),
      fc
        .tuple(fc.string({ minLength: 1 }), fc.option(toolCallId, { nil: undefined }))
        .map(([requestId, about]): Yielded => ({
          type: 'sandbox_boundary_request',
          requestId,
          request: 1,
          ...(about !== undefined && { toolCallId: about }),
        })),
      fc.constant(delta('text_delta', '1', 'x')),
    )
    const ids = { sessionId: 's', invocationId: 'i', runId: 'r' }
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const live = after(...events)
        const recovered = noOpenItems()
        for (const each of events) {
          const yielded = { id: 'e', turnId: 't', ts: 1, ...each } as SessionEvent
          const fact = runtimeEventFromSessionEvent(yielded, ids, live)
          if (fact !== undefined) trackRuntimeEvent(recovered, fact)
        }
        assert.deepEqual(recovered.toolCalls, live.toolCalls)
        assert.deepEqual(recovered.requestsOfCalls, live.requestsOfCalls)
      }),
      { numRuns: 300 },
    )
  })
})
