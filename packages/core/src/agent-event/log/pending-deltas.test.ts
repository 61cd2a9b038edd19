import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { type AgentDelta, agentStreamOf, endsAgentStream, isAgentDelta } from './delta.ts'
import { PendingDeltas } from './pending-deltas.ts'

const text = (messageId: string, delta: string, more: object = {}): AgentDelta => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
  ...more,
})
const args = (toolCallId: string, delta: string): AgentDelta => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })

function pendingOf(...deltas: readonly AgentDelta[]): PendingDeltas {
  const pending = new PendingDeltas()
  for (const delta of deltas) pending.add(delta)
  return pending
}

describe('isAgentDelta', () => {
  test('holds for deltas of a named stream alone', () => {
    assert.ok(isAgentDelta(text('m', 'x')))
    assert.ok(isAgentDelta(args('c', 'x')))
    assert.ok(isAgentDelta({ type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: '' }))
    const others: AgentEvent[] = [
      { type: 'TEXT_MESSAGE_CONTENT', delta: 'x' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 1 },
      { type: 'TEXT_MESSAGE_END', messageId: 'm', delta: 'x' },
    ]
    for (const other of others) assert.ok(!isAgentDelta(other))
  })
})

describe('PendingDeltas', () => {
  test('joins interleaved streams each by itself, in the order of their first deltas', () => {
    const pending = pendingOf(text('a', 'H'), args('c', '{'), text('a', 'i'), args('c', '}'), text('b', '!'))
    assert.equal(pending.length, 5)
    assert.deepEqual(pending.take(), [text('a', 'Hi'), args('c', '{}'), text('b', '!')])
    assert.deepEqual([pending.length, pending.take()], [0, []])
  })

  test('keeps the first timestamp, and does not join what says something else besides', () => {
    const first = text('a', 'x', { timestamp: 1, metadata: { by: 'one' } })
    const same = text('a', 'y', { timestamp: 2, metadata: { by: 'one' } })
    const other = text('a', 'z', { timestamp: 3, metadata: { by: 'two' } })
    const bare = text('a', '!')
    assert.deepEqual(pendingOf(first, same, other, bare).take(), [{ ...first, delta: 'xy' }, other, bare])
  })

  test('holds half of a character back until the other half comes, or none will', () => {
    const [high, low] = ['\ud83d', '\ude00']
    const pending = pendingOf(text('a', `x${high}`))
    assert.deepEqual(pending.take(), [text('a', 'x')])
    assert.deepEqual([pending.length, pending.take()], [1, []])
    pending.add(text('a', `${low}y`))
    assert.deepEqual(pending.take(), [text('a', '😀y')])
    const ending = (event: AgentEvent) => (delta: AgentDelta) => endsAgentStream(event, delta)
    const cut = (): PendingDeltas => pendingOf(text('a', high), text('b', high))
    assert.deepEqual(cut().take(ending({ type: 'TEXT_MESSAGE_END', messageId: 'b' })), [text('b', high)])
    assert.deepEqual(cut().take(ending({ type: 'STEP_STARTED', stepName: 's' })), [])
    assert.deepEqual(cut().take(ending({ type: 'RUN_ERROR', message: 'no' })), [text('a', high), text('b', high)])
  })

  test('never lets what is held back pass what follows it', () => {
    const pending = pendingOf(text('a', '\ud83d'), text('a', 'x', { rawEvent: 1 }))
    assert.deepEqual(pending.take(), [text('a', '\ud83d'), text('a', 'x', { rawEvent: 1 })])
  })

  test('joins the halves of a character over what has no text', () => {
    const pending = pendingOf(text('a', '\ud83d'), text('a', '', { rawEvent: 1 }), text('a', '\ude00'))
    assert.deepEqual(pending.take(), [text('a', '😀')])
  })

  test('cuts what is too long for a row, not through a character', () => {
    const long = `${'x'.repeat(262_143)}😀${'y'.repeat(300_000)}`
    const rows = pendingOf(text('a', long)).take()
    assert.equal(rows.length, 3)
    assert.ok(rows.every(({ delta }) => delta.isWellFormed()))
    assert.equal(rows.map(({ delta }) => delta).join(''), long)
  })

  test('keeps the order in which streams begin', () => {
    const streams = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('', 'x')))
    fc.assert(
      fc.property(streams, (steps) => {
        const rows = pendingOf(...steps.map(([id, delta]) => text(id, delta))).take()
        const saying = new Set(steps.flatMap(([id, delta]) => (delta === '' ? [] : [id])))
        const order = [...new Set(steps.map(([id]) => id))].filter((id) => saying.has(id))
        assert.deepEqual(
          rows.map(({ messageId }) => messageId),
          order,
        )
      }),
    )
  })

  test('says the same as the deltas say, whenever it is taken', () => {
    const delta = fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('', 'x', 'yz', '\ud83d', '\ude00', '😀'), fc.nat(2))
      .map(([id, delta, kind]) => (kind === 0 ? args(id, delta) : text(id, delta, kind === 1 ? {} : { rawEvent: 1 })))
    fc.assert(
      fc.property(fc.array(fc.oneof(delta, fc.constant('take' as const))), (steps) => {
        const [pending, rows] = [new PendingDeltas(), [] as AgentDelta[]]
        for (const step of steps) {
          if (step !== 'take') pending.add(step)
          else rows.push(...pending.take())
        }
        rows.push(...pending.take(() => true))
        const deltas = steps.filter((step) => step !== 'take')
        assert.deepEqual(fold(rows), fold(deltas))
        for (const [stream, said] of fold(deltas)) if (said.isWellFormed()) assertNoHalves(rows, stream)
      }),
    )
  })
})

function fold(deltas: readonly AgentDelta[]): Map<string, string> {
  const said = new Map<string, string>()
  for (const delta of deltas) {
    const stream = agentStreamOf(delta)
    const before = said.get(stream)
    if (before !== undefined || delta.delta !== '') said.set(stream, (before ?? '') + delta.delta)
  }
  return said
}

function assertNoHalves(rows: readonly AgentDelta[], stream: string): void {
  const own = rows.filter((row) => agentStreamOf(row) === stream && row.rawEvent === undefined)
  const mixed = rows.some((row) => agentStreamOf(row) === stream && row.rawEvent !== undefined)
  if (!mixed) assert.ok(own.every(({ delta }) => delta.isWellFormed()))
}
