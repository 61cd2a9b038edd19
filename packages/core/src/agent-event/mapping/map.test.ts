import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sessionEvents } from '../../../test/session-event-samples.ts'
import type { SessionEvent, SessionEventType } from '../../session-event/session-event.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { gapMarker } from '../log/markers.ts'
import { agentEventsOf, agentEventsOfStart } from './map.ts'
import { type AgentRun, type ToldRun, untoldRun } from './told-run.ts'
import { setRequestExpiry, trackAgentEvent } from './track.ts'

const modern: AgentRun = { runId: 'run', threadId: 'thread', protocolVersion: '1.0' }
const older: AgentRun = { runId: 'run', threadId: 'thread' }
const base = { id: 'e', turnId: 't', ts: 2 }
const timestamp = 2

function started(run: AgentRun): ToldRun {
  const told = untoldRun(run)
  agentEventsOfStart(told)
  return told
}

/** Without their timestamps, which all are that of their session event. */
function tellAll(told: ToldRun, events: readonly object[]): readonly object[] {
  const agentEvents = events.flatMap((event) => agentEventsOf(told, { ...base, ...event } as SessionEvent))
  return agentEvents.map(({ timestamp: at, ...rest }) => {
    assert.equal(at, timestamp)
    return rest
  })
}

const m = { messageId: 'run:text:m' }
const thought = { messageId: 'run:reasoning:m' }
const inAgents = { subagentRunId: 'run/a/b' }
const asInterrupted = { metadata: { daybook: { interrupted: true } } }
const custom = (name: string, value: object): AgentEvent => ({
  type: 'CUSTOM',
  name: `daybook.${name}`,
  value: { ...value },
})
const started1 = { type: 'RUN_STARTED', threadId: 'thread', runId: 'run', protocolVersion: '1.0' }
const ids = { threadId: 'thread', runId: 'run' }

const table: Readonly<Record<SessionEventType, readonly object[]>> = {
  text_delta: [
    { type: 'TEXT_MESSAGE_START', role: 'assistant', ...m },
    { type: 'TEXT_MESSAGE_CONTENT', delta: 'a', ...m },
  ],
  text_complete: [
    { type: 'TEXT_MESSAGE_START', role: 'assistant', ...m },
    { type: 'TEXT_MESSAGE_CONTENT', delta: 'ab', ...m },
    { type: 'TEXT_MESSAGE_END', ...asInterrupted, ...m },
  ],
  thinking_delta: [
    { type: 'REASONING_START', ...thought },
    { type: 'REASONING_MESSAGE_START', role: 'reasoning', ...thought },
    { type: 'REASONING_MESSAGE_CONTENT', delta: 'a', ...thought },
  ],
  thinking_complete: [
    { type: 'REASONING_START', ...thought },
    { type: 'REASONING_MESSAGE_START', role: 'reasoning', ...thought },
    { type: 'REASONING_MESSAGE_CONTENT', delta: 'ab', ...thought },
    { type: 'REASONING_MESSAGE_END', ...thought },
    {
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype: 'message',
      entityId: thought.messageId,
      encryptedValue: 'signature',
    },
    { type: 'REASONING_END', ...thought },
  ],
  tool_input_delta: [
    { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'read' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{' },
  ],
  tool_start: [
    { type: 'STEP_STARTED', stepName: 's' },
    { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'read' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"path":"a"}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c' },
  ],
  tool_result_preview: [custom('tool_result_preview', { toolCallId: 'c', result: 1 })],
  tool_result: [
    {
      type: 'TOOL_CALL_RESULT',
      messageId: 'run:result:c',
      toolCallId: 'c',
      content: 'no',
      role: 'tool',
      metadata: { daybook: { outcome: 'error' } },
    },
  ],
  source: [custom('source', { sourceId: 'x', url: 'u', title: 't', mediaType: 'text/html' })],
  file: [custom('file', { messageId: 'm', mediaType: 'image/png', data: 'AA==' })],
  token_usage: [custom('token_usage', { inputTokens: 3, outputTokens: 4 })],
  sandbox_boundary_request: [],
  sandbox_boundary_decision_ack: [custom('request_answered', { requestId: 'r', decision: 'denied' })],
  user_question_request: [],
  user_question_answer_ack: [custom('request_answered', { requestId: 'r' })],
  provider_retry: [custom('provider_retry', { message: 'again' })],
  custom: [
    { type: 'SUBAGENT_STARTED', subagentRunId: 'run/a', name: 'a' },
    { type: 'SUBAGENT_STARTED', name: 'b', parentSubagentRunId: 'run/a', ...inAgents },
    { ...custom('custom', { name: 'mood', value: { good: true } }), ...inAgents },
  ],
  error: [custom('error', { message: 'broken', code: 'E1' })],
  abort: [
    {
      type: 'RUN_FINISHED',
      ...ids,
      outcome: { type: 'cancelled' },
      result: { stopReason: 'user_stop', abortSource: 'user' },
    },
  ],
  complete: [{ type: 'RUN_FINISHED', ...ids, outcome: { type: 'success' }, result: { stopReason: 'end_turn' } }],
}

describe('agentEventsOf', () => {
  for (const [type, expected] of Object.entries(table)) {
    test(`tells ${type}`, () => {
      const told = agentEventsOf(started(modern), sessionEvents[type as SessionEventType])
      assert.deepEqual(
        told,
        expected.map((event) => ({ ...event, timestamp })),
      )
    })
  }

  test('tells a type that it does not know, whole', () => {
    const event = { ...base, type: 'hologram', density: 3n, agentPath: [] }
    assert.deepEqual(agentEventsOf(started(older), event), [
      { ...custom('session_event', { ...event, density: '3' }), timestamp },
    ])
  })

  test('begins with the start of the run, once, and says nothing after its end', () => {
    const told = untoldRun({ ...older, parentRunId: 'before' })
    const [first] = agentEventsOf(told, sessionEvents.provider_retry)
    assert.deepEqual(first, { type: 'RUN_STARTED', ...ids, parentRunId: 'before', timestamp })
    assert.deepEqual(agentEventsOfStart(told), [])
    agentEventsOf(told, sessionEvents.complete)
    assert.deepEqual(agentEventsOf(told, sessionEvents.text_delta), [])
    assert.deepEqual(agentEventsOfStart(untoldRun(modern)), [started1])
  })

  test('adds what the deltas of a text left out', () => {
    const told = started(modern)
    const piece = { type: 'text_delta', messageId: 'm' }
    const events = [
      { ...piece, text: 'a\ud83d' },
      { type: 'text_complete', messageId: 'm', text: 'a\ud83d\ude00b' },
    ]
    assert.deepEqual(tellAll(told, events).slice(2), [
      { type: 'TEXT_MESSAGE_CONTENT', delta: '\ude00b', ...m },
      { type: 'TEXT_MESSAGE_END', ...m },
    ])
  })

  test('says what stands in place of the deltas where the text is another one', () => {
    const told = started(modern)
    tellAll(told, [{ type: 'text_delta', messageId: 'm', text: 'abc' }])
    assert.deepEqual(tellAll(told, [{ type: 'text_complete', messageId: 'm', text: 'ab' }]), [
      custom('text_replaced', { text: 'ab', ...m }),
      { type: 'TEXT_MESSAGE_END', ...m },
    ])
  })

  test('says what is kept of a text that was cut off, save where more may have been told behind rows that are missing', () => {
    const told = started(modern)
    const cutOff = { type: 'thinking_complete', messageId: 'm', text: 'ab', interrupted: true }
    const ends = [
      { type: 'REASONING_MESSAGE_END', ...thought, ...asInterrupted },
      { type: 'REASONING_END', ...thought },
    ]
    tellAll(told, [{ type: 'thinking_delta', messageId: 'm', text: 'abc' }])
    assert.deepEqual(tellAll(told, [cutOff]), [custom('text_replaced', { text: 'ab', ...thought }), ...ends])
    tellAll(told, [{ type: 'thinking_delta', messageId: 'm', text: 'abc' }])
    trackAgentEvent(told, gapMarker({ reason: 'store_failed', dropped: 1 }))
    assert.deepEqual(tellAll(told, [cutOff]), ends)
  })

  test('says whose a text is, and of which tool a call, where they were begun otherwise', () => {
    const told = started(modern)
    tellAll(told, [{ type: 'text_delta', messageId: 'm', text: 'a', agentPath: ['a'] }])
    assert.deepEqual(tellAll(told, [{ type: 'text_complete', messageId: 'm', text: 'a' }]), [
      custom('text_replaced', { text: 'a', ...m }),
      { type: 'TEXT_MESSAGE_END', ...m, subagentRunId: 'run/a' },
    ])
    const calling = { type: 'tool_start', toolCallId: 'c', toolName: 'write', args: {}, agentPath: ['a'] }
    tellAll(told, [{ type: 'tool_input_delta', toolCallId: 'c', toolName: 'read', text: '{}' }])
    assert.deepEqual(tellAll(told, [calling]), [
      {
        ...custom('tool_args_replaced', { toolCallId: 'c', toolCallName: 'write', args: {} }),
        subagentRunId: 'run/a',
      },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
    ])
  })

  const call = { toolCallId: 'c', toolName: 'read' }
  const end = { type: 'TOOL_CALL_END', toolCallId: 'c' }
  const argsCases: readonly [title: string, streamed: string, rest: readonly object[]][] = [
    ['the whole was streamed', '{ "path": "a", "n": 1.0 }', [end]],
    ['a part was streamed', '{"n":1,', [{ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '"path":"a"}' }, end]],
    [
      'others were streamed',
      '{"n":2}',
      [custom('tool_args_replaced', { toolCallId: 'c', args: { n: 1, path: 'a' } }), end],
    ],
    [
      'what was streamed is no JSON',
      '}',
      [custom('tool_args_replaced', { toolCallId: 'c', args: { n: 1, path: 'a' } }), end],
    ],
  ]
  for (const [title, text, rest] of argsCases) {
    test(`ends the arguments of a call where ${title}`, () => {
      const told = started(modern)
      tellAll(told, [{ type: 'tool_input_delta', ...call, text }])
      assert.deepEqual(tellAll(told, [{ type: 'tool_start', ...call, args: { n: 1, path: 'a' } }]), rest)
    })
  }

  test('gives the calls of an answer its message, until their results', () => {
    const events = [
      { type: 'text_complete', messageId: 'm', text: '' },
      { type: 'tool_start', toolCallId: 'c', toolName: 'read', args: null },
      { type: 'tool_start', toolCallId: 'd', toolName: 'read', args: null },
      { type: 'tool_result', toolCallId: 'c', result: { found: 1 } },
      { type: 'tool_start', toolCallId: 'f', toolName: 'read', args: null },
    ]
    const starts = tellAll(started(modern), events).filter((event) => 'toolCallName' in event)
    const parents = starts.map((event) => ('parentMessageId' in event ? event.parentMessageId : undefined))
    assert.deepEqual(parents, [m.messageId, m.messageId, undefined])
  })

  test('tells the result of a call of an earlier run, and what became of one without', () => {
    const events = [
      { type: 'tool_result', toolCallId: 'c', result: { found: 1 } },
      { type: 'tool_result', toolCallId: 'd', outcome: 'unknown', result: null },
    ]
    const contents = tellAll(started(modern), events).map((event) => 'content' in event && event.content)
    assert.deepEqual(contents, ['{"found":1}', 'unknown'])
  })

  test('ends a step where the next one of its agent begins, and begins none twice', () => {
    const events = ['s', 't', 's', undefined].map((stepId) => ({ type: 'provider_retry', message: '', stepId }))
    const steps = tellAll(started(modern), events).filter((event) => 'stepName' in event)
    assert.deepEqual(steps, [
      { type: 'STEP_STARTED', stepName: 's' },
      { type: 'STEP_FINISHED', stepName: 's' },
      { type: 'STEP_STARTED', stepName: 't' },
    ])
  })

  test('keeps a message with the agent that began it', () => {
    const piece = { type: 'text_delta', messageId: 'm', text: 'a' }
    const told = started(modern)
    tellAll(told, [{ ...piece, agentPath: ['a', 'b'] }])
    assert.deepEqual(tellAll(told, [piece]), [{ type: 'TEXT_MESSAGE_CONTENT', delta: 'a', ...m, ...inAgents }])
  })

  test('tells older clients of sub-agents by events that they know', () => {
    const told = started(older)
    const events = [{ type: 'custom', name: 'mood', value: 1, agentPath: ['a'] }, sessionEvents.complete]
    assert.deepEqual(tellAll(told, events).slice(0, 3), [
      custom('subagent_started', { subagentRunId: 'run/a', name: 'a' }),
      { ...custom('custom', { name: 'mood', value: 1 }), subagentRunId: 'run/a' },
      custom('subagent_finished', { subagentRunId: 'run/a', outcome: { type: 'success' } }),
    ])
  })
})

describe('the end of a run', () => {
  const everything = [
    { type: 'text_delta', messageId: 'm', text: 'a', agentPath: ['a'], stepId: 's' },
    { type: 'thinking_delta', messageId: 'm', text: 'a' },
    { type: 'tool_input_delta', toolCallId: 'c', toolName: 'read', text: '{' },
    sessionEvents.token_usage,
    sessionEvents.token_usage,
  ]
  const usage = [{ inputTokens: 6, outputTokens: 8 }]

  test('comes after the end of everything that is open', () => {
    const told = started(modern)
    tellAll(told, everything)
    const inA = { subagentRunId: 'run/a' }
    assert.deepEqual(tellAll(told, [{ type: 'complete', stopReason: 'step_limit' }]), [
      { type: 'TEXT_MESSAGE_END', ...m, ...inA },
      { type: 'REASONING_MESSAGE_END', ...thought },
      { type: 'REASONING_END', ...thought },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
      { type: 'STEP_FINISHED', stepName: 's', ...inA },
      { type: 'SUBAGENT_ERROR', message: 'The run failed: step_limit.', code: 'step_limit', ...inA },
      { type: 'RUN_ERROR', message: 'The run failed: step_limit.', code: 'step_limit', usage },
    ])
  })

  test('is a failure by the last error', () => {
    const events = [{ type: 'error', message: 'slow down' }, sessionEvents.complete]
    assert.deepEqual(tellAll(started(older), events).at(-1), { type: 'RUN_ERROR', message: 'slow down', code: 'error' })
    assert.deepEqual(tellAll(started(older), [sessionEvents.error, sessionEvents.complete]).at(-1), {
      type: 'RUN_ERROR',
      message: 'broken',
      code: 'E1',
    })
  })

  test('is an error for older clients where the run was stopped', () => {
    for (const stop of [sessionEvents.abort, { type: 'complete', stopReason: 'user_stop' }]) {
      const events = tellAll(started(older), [...everything, sessionEvents.error, stop])
      assert.deepEqual(events.at(-1), { type: 'RUN_ERROR', message: 'The run was stopped.', code: 'CANCELLED', usage })
    }
  })

  test('is an interrupt for each request that is open', () => {
    const told = started(modern)
    const { sandbox_boundary_request: boundary, user_question_request: question } = sessionEvents
    const asked = tellAll(told, [
      boundary,
      { ...question, requestId: 'q', agentPath: ['a', 'b'], toolCallId: undefined },
      { ...question, requestId: 'answered' },
      { ...boundary, requestId: 'p', toolCallId: undefined, request: { message: 'May I?' } },
      { ...boundary, request: 'the same id asks nothing else' },
      { ...sessionEvents.user_question_answer_ack, requestId: 'answered' },
    ])
    assert.deepEqual(
      asked.map((event) => 'name' in event && event.name),
      ['a', 'b', 'daybook.request_answered'],
    )
    setRequestExpiry(told, 'r', 1_800_000_000_000)
    setRequestExpiry(told, 'p', Number.MAX_SAFE_INTEGER)
    setRequestExpiry(told, 'nothing', 0)
    const approval = {
      type: 'object',
      properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
      required: ['approved'],
    }
    const edited = { editedArgs: { description: 'The arguments to run with, in place of those that were asked for.' } }
    assert.deepEqual(tellAll(told, [{ type: 'complete', stopReason: 'waiting' }]), [
      { type: 'SUBAGENT_FINISHED', outcome: { type: 'suspended', interruptIds: ['q'] }, ...inAgents },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 'run/a', outcome: { type: 'suspended' } },
      {
        type: 'RUN_FINISHED',
        ...ids,
        outcome: {
          type: 'interrupt',
          interrupts: [
            {
              id: 'r',
              reason: 'tool_call',
              message: '{"run":"ls"}',
              metadata: { daybook: { kind: 'sandbox_boundary', payload: { run: 'ls' } } },
              toolCallId: 'c',
              responseSchema: { ...approval, properties: { ...approval.properties, ...edited } },
              expiresAt: '2027-01-15T08:00:00.000Z',
            },
            {
              id: 'q',
              reason: 'input_required',
              message: 'which?',
              metadata: { daybook: { kind: 'user_question', payload: 'which?' } },
              ...inAgents,
            },
            {
              id: 'p',
              reason: 'confirmation',
              message: 'May I?',
              metadata: { daybook: { kind: 'sandbox_boundary', payload: { message: 'May I?' } } },
              responseSchema: approval,
            },
          ],
        },
        result: { stopReason: 'waiting' },
      },
    ])
  })

  test('waits for nothing that has no request', () => {
    const last = tellAll(started(modern), [{ type: 'complete', stopReason: 'waiting' }]).at(-1)
    assert.deepEqual(last, {
      type: 'RUN_FINISHED',
      ...ids,
      outcome: { type: 'success' },
      result: { stopReason: 'waiting' },
    })
  })

  test('shows what is asked of a backend that waits at once', () => {
    const told = started({ ...modern, wait: 'live' })
    assert.deepEqual(tellAll(told, [{ ...sessionEvents.user_question_request, expiresInMs: 5 }]), [
      custom('request', { requestId: 'r', kind: 'user_question', payload: 'which?', expiresInMs: 5 }),
    ])
  })
})
