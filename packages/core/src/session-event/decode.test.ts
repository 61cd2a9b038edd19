import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hostileValue } from '../../test/hostile-value.ts'
import { everySessionEvent } from '../../test/session-event-samples.ts'
import { InvalidEventError } from '../errors/input-errors.ts'
import { decodeSessionEvent } from './decode.ts'
import { isKnownSessionEvent } from './event-shape.ts'

const complete = { type: 'complete', id: 'e', turnId: 't', ts: 2, stopReason: 'end_turn' }
const throwing = (): never => {
  throw new Error('hostile')
}

describe('decodeSessionEvent', () => {
  for (const event of everySessionEvent) {
    test(`takes ${event.type}`, () => {
      const decoded = decodeSessionEvent(event, 't')
      assert.deepStrictEqual(decoded, event)
      assert.ok(isKnownSessionEvent(decoded))
    })
  }

  test('takes a type that it does not know, whole', () => {
    const value = { type: 'hologram', id: 'e', turnId: 't', ts: 2, usage: { free: 1n }, ['__proto__']: 1 }
    const decoded = decodeSessionEvent(value, 't')
    assert.deepStrictEqual(decoded, value)
    assert.ok(!isKnownSessionEvent(decoded))
    assert.ok(!isKnownSessionEvent(decodeSessionEvent({ ...value, type: 'constructor' }, 't')))
  })

  test('leaves out fields that are undefined, and takes values of any kind as they are', () => {
    const result = new Map()
    const decoded = decodeSessionEvent(
      { type: 'tool_result', id: 'e', turnId: 't', ts: 2, toolCallId: 'c', result, durationMs: undefined },
      't',
    )
    assert.deepStrictEqual(decoded, { type: 'tool_result', id: 'e', turnId: 't', ts: 2, toolCallId: 'c', result })
  })

  test('reads each field once', () => {
    let reads = 0
    const event = Object.defineProperty({ ...complete }, 'id', { enumerable: true, get: () => `e${reads++}` })
    assert.equal(decodeSessionEvent(event, 't').id, 'e0')
    assert.equal(reads, 1)
  })

  test('copies what it checked inside', () => {
    const agentPath = ['a']
    const decoded = decodeSessionEvent({ ...complete, agentPath }, 't')
    agentPath[0] = 'b'
    assert.deepEqual(decoded.agentPath, ['a'])
  })

  const refusals: [name: string, value: unknown, path: string][] = [
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['text', 'complete', ''],
    ['a list', [complete], ''],
    ['a function', () => complete, ''],
    ['an empty object', {}, '/type'],
    ['a type that is not text', { ...complete, type: 1 }, '/type'],
    ['no id', { ...complete, id: undefined }, '/id'],
    ['an empty id', { ...complete, id: '' }, '/id'],
    ['an id with a lone surrogate', { ...complete, id: '\ud800' }, '/id'],
    ['another turn', { ...complete, turnId: 'u' }, '/turnId'],
    ['a ts with a fraction', { ...complete, ts: 0.5 }, '/ts'],
    ['a ts that is a Date', { ...complete, ts: new Date() }, '/ts'],
    ['an unknown stop reason', { ...complete, stopReason: 'tired' }, '/stopReason'],
    ['no stop reason', { ...complete, stopReason: undefined }, '/stopReason'],
    ['a type that it does not know without an id', { type: 'x', turnId: 't', ts: 2 }, '/id'],
    ['a message id with NUL', { ...complete, type: 'text_delta', messageId: 'a\0', text: '' }, '/messageId'],
    ['text that is not text', { ...complete, type: 'text_delta', messageId: 'm', text: ['a'] }, '/text'],
    ['an unknown outcome', { ...complete, type: 'tool_result', toolCallId: 'c', outcome: 'x' }, '/outcome'],
    ['a usage with NaN', { ...complete, type: 'token_usage', usage: { inputTokens: NaN } }, '/usage/inputTokens'],
    ['a usage below zero', { ...complete, type: 'token_usage', usage: { inputTokens: -1 } }, '/usage/inputTokens'],
    ['no usage', { ...complete, type: 'token_usage' }, '/usage'],
    ['a path of agents with a number', { ...complete, agentPath: ['a', 1] }, '/agentPath/1'],
    ['a path of agents that is no JSON', { ...complete, agentPath: new Set(['a']) }, '/agentPath'],
    ['a path of more than 32 agents', { ...complete, agentPath: Array(33).fill('a') }, '/agentPath'],
    ['an agent whose name is too long', { ...complete, agentPath: ['ä'.repeat(101)] }, '/agentPath/0'],
    [
      'a tool whose name is too long',
      { ...complete, type: 'tool_start', toolCallId: 'c', toolName: 'ä'.repeat(501) },
      '/toolName',
    ],
    ['a step that is no id', { ...complete, stepId: 1 }, '/stepId'],
    ['a getter that throws', Object.defineProperty({ ...complete }, 'id', { enumerable: true, get: throwing }), ''],
    ['a proxy that throws', new Proxy({}, { ownKeys: throwing }), ''],
  ]
  for (const [name, value, path] of refusals) {
    test(`refuses ${name} and names its path`, () => {
      assert.throws(
        () => decodeSessionEvent(value, 't'),
        (error: unknown) => error instanceof InvalidEventError && error.path === path,
      )
    })
  }

  test('throws nothing but InvalidEventError, whatever it is given', () => {
    const field = fc.constantFrom(
      'type',
      'id',
      'turnId',
      'ts',
      'text',
      'messageId',
      'toolCallId',
      'usage',
      'agentPath',
      'args',
    )
    const event = fc.oneof(
      hostileValue,
      fc
        .tuple(fc.constantFrom(...everySessionEvent), fc.array(fc.tuple(field, hostileValue), { maxLength: 3 }))
        .map(([base, entries]) => () => ({
          ...base,
          ...Object.fromEntries(entries.map(([name, make]) => [name, make()])),
        })),
    )
    fc.assert(
      fc.property(event, (make) => {
        try {
          decodeSessionEvent(make(), 't')
        } catch (error) {
          assert.ok(error instanceof InvalidEventError, String(error))
        }
      }),
      { numRuns: 1000 },
    )
  })
})
