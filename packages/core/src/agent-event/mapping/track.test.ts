import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { agentEventsTruncatedName, type AgentEvent } from '../../ports/agent-event-store.ts'
import type { SessionEvent } from '../../session-event/session-event.ts'
import { noOpenItems } from '../../invocation/open-items.ts'
import { runtimeEventFromSessionEvent } from '../../session-event/to-runtime-event.ts'
import { gapMarker } from '../log/markers.ts'
import { agentEventsOf, agentEventsOfFailure } from './map.ts'
import { type AgentRun, type ToldRun, untoldRun } from './told-run.ts'
import { trackAgentEvent } from './track.ts'
import { reopenTexts, unfinishedTexts } from './unfinished-texts.ts'

const run: AgentRun = { runId: 'run', threadId: 'thread', protocolVersion: '1.0' }
const base = { id: 'e', turnId: 't', ts: 2 }
const gap = gapMarker({ reason: 'store_failed', dropped: 1 })

function told(events: readonly object[]): readonly AgentEvent[] {
  const shown = untoldRun(run)
  return events.flatMap((event) => agentEventsOf(shown, { ...base, ...event } as SessionEvent))
}

function tracked(events: readonly AgentEvent[]): ToldRun {
  const again = untoldRun(run)
  for (const event of events) trackAgentEvent(again, event)
  return again
}

describe('unfinishedTexts', () => {
  const a = { type: 'text_delta', messageId: 'm', stepId: 's', agentPath: ['a', 'b'] }
  const b = { type: 'thinking_delta', messageId: 'm' }

  test('gives what was told of each text since its beginning, and where it came from', () => {
    const events = told([
      { type: 'text_complete', messageId: 'done', text: 'all' },
      { type: 'text_complete', messageId: 'm', text: 'first' },
      { ...a, text: 'se' },
      { ...b, text: 'hm' },
      { ...a, text: 'cond' },
      { type: 'text_delta', messageId: 'empty', text: '' },
    ])
    assert.deepEqual(unfinishedTexts(tracked(events), []), [
      { type: 'text', block: { messageId: 'm' }, text: 'second' },
      { type: 'thinking', block: { messageId: 'm' }, text: 'hm' },
    ])
    assert.deepEqual(unfinishedTexts(tracked(told([{ ...a, text: 'x' }])), []), [
      { type: 'text', block: { messageId: 'm', stepId: 's', agentPath: ['a', 'b'] }, text: 'x' },
    ])
  })

  for (const marker of [gap, { type: 'CUSTOM', name: agentEventsTruncatedName, value: {} }]) {
    test(`gives of a text what stands before ${marker.name as string}`, () => {
      const before = told([{ ...b, text: 'hm' }])
      const rest = told([
        { ...b, text: 'hm' },
        { ...b, text: 'more' },
        { ...a, text: 'whole' },
      ]).slice(before.length)
      const texts = unfinishedTexts(tracked([...before, marker, ...rest]), []).map(({ text }) => text)
      assert.deepEqual(texts, ['whole', 'hm'])
    })
  }

  test('gives no text that the ledger has, and of a long one to open items what an event can hold', () => {
    const shown = untoldRun(run)
    const long = 'x'.repeat(2 ** 20)
    const events = told([
      { ...b, text: 'hm' },
      { type: 'text_delta', messageId: 'long', text: long },
    ])
    const ids = { sessionId: 'session', invocationId: 'i', runId: 'run' }
    const seen = { toolCalls: new Map(), namesOfResults: new Map() }
    const complete = { ...base, type: 'thinking_complete', messageId: 'm', text: 'hm!' } as const
    const facts = [runtimeEventFromSessionEvent(complete, ids, seen)!]
    for (const event of events) trackAgentEvent(shown, event)
    const items = noOpenItems()
    reopenTexts(items, shown, facts)
    const [text, ...others] = items.texts.values()
    assert.deepEqual(others, [])
    assert.equal(text?.cut, true)
    assert.ok(text.bytes > 900_000 && long.startsWith(text.chunks.join('')))
  })

  test('gives nothing that the backend did not say', () => {
    const hosts = [
      { type: 'TEXT_MESSAGE_START', messageId: 'banner' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'banner', delta: 'Welcome' },
    ]
    assert.deepEqual(unfinishedTexts(tracked(hosts), []), [])
  })
})

describe('trackAgentEvent', () => {
  const nonsense: readonly AgentEvent[] = [
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'a' },
    { type: 'TEXT_MESSAGE_START', messageId: null },
    { type: 'TEXT_MESSAGE_END' },
    { type: 'TOOL_CALL_START', toolCallId: 7, subagentRunId: 'nobody' },
    { type: 'STEP_STARTED', stepName: [] },
    { type: 'SUBAGENT_STARTED', parentSubagentRunId: 'nobody' },
    { type: 'SUBAGENT_STARTED', subagentRunId: 'x', parentSubagentRunId: 'nobody' },
    { type: 'SUBAGENT_FINISHED', subagentRunId: '' },
    { type: 'CUSTOM', name: 'daybook.request', value: { requestId: {}, kind: 'riddle' } },
    { type: 'CUSTOM', name: 'daybook.token_usage', value: ['inputTokens'] },
    { type: 'CUSTOM', name: 'daybook.token_usage', value: { inputTokens: 'many' } },
    { type: 'CUSTOM', name: 'daybook.text_replaced', value: { messageId: 'm', text: 1 } },
    { type: 'CUSTOM', name: 'daybook.error', value: { message: 4 } },
    { type: 'NOVELTY' },
  ]

  test('takes events that make no sense', () => {
    const end = agentEventsOfFailure(tracked(nonsense), { message: 'gone', code: 'app_restarted' }, 3)
    assert.deepEqual(end[0], {
      type: 'RUN_STARTED',
      threadId: 'thread',
      runId: 'run',
      protocolVersion: '1.0',
      timestamp: 3,
    })
    assert.equal(end.at(-1)?.type, 'RUN_ERROR')
  })

  test('ends reasoning as that of the sub-agent which began it, before there was anything in it', () => {
    const started = [
      { type: 'RUN_STARTED', threadId: 'thread', runId: 'run' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 'run/a', name: 'a' },
      { type: 'REASONING_START', messageId: 'm', subagentRunId: 'run/a' },
    ]
    const end = agentEventsOfFailure(tracked(started), { message: 'gone', code: 'app_restarted' })
    assert.deepEqual(end[0], { type: 'REASONING_END', messageId: 'm', subagentRunId: 'run/a' })
  })

  test('has nothing to end in a log that has its end', () => {
    const failure = { message: 'gone', code: 'app_restarted' }
    assert.deepEqual(agentEventsOfFailure(tracked(told([{ type: 'complete', stopReason: 'end_turn' }])), failure), [])
  })

  test('says the whole of a text that is missing a piece', () => {
    const again = tracked([...told([{ type: 'text_delta', messageId: 'm', text: 'a' }]), gap])
    const whole = { ...base, type: 'text_complete', messageId: 'm', text: 'abc' } as const
    assert.deepEqual(
      agentEventsOf(again, whole).map(({ type, name }) => name ?? type),
      ['daybook.text_replaced', 'TEXT_MESSAGE_END'],
    )
  })
})
