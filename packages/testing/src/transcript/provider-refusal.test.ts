import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelMessage } from '@daybook/core/backend-types'
import { providerRefusal } from './provider-refusal.ts'

const text = { type: 'text', text: 'hi' } as const
const call = (toolCallId: string, providerExecuted?: true) =>
  ({
    type: 'tool_call',
    toolCallId,
    toolName: 'tool',
    args: {},
    ...(providerExecuted && { providerExecuted }),
  }) as const
const result = (toolCallId: string, providerExecuted?: true) =>
  ({
    type: 'tool_result',
    toolCallId,
    toolName: 'tool',
    outcome: 'ok',
    result: null,
    ...(providerExecuted && { providerExecuted }),
  }) as const
const user: ModelMessage = { role: 'user', parts: [text] }
const calls = (...parts: (ReturnType<typeof call> | ReturnType<typeof result>)[]): ModelMessage => ({
  role: 'assistant',
  parts,
})
const answers = (...parts: ReturnType<typeof result>[]): ModelMessage => ({ role: 'tool', parts })

describe('providerRefusal', () => {
  test('takes a conversation whose calls are answered', () => {
    assert.equal(providerRefusal([]), undefined)
    assert.equal(providerRefusal([user, { role: 'assistant', parts: [text] }, user]), undefined)
    const own = calls(call('p', true), result('p', true), call('a'), call('b'))
    assert.equal(providerRefusal([user, own, answers(result('a'), result('b')), user]), undefined)
  })

  for (const [why, messages] of [
    ['repeats the role', [user, user]],
    ['is empty', [user, { role: 'assistant', parts: [] }]],
    ['answers [] where [a] are due', [user, calls(call('a')), user]],
    ['answers [b,a] where [a,b] are due', [user, calls(call('a'), call('b')), answers(result('b'), result('a'))]],
    ['answers [a] where [] are due', [user, answers(result('a'))]],
    ['answers [a,a] where [a] are due', [user, calls(call('a')), answers(result('a'), result('a'))]],
    ['answers [] to its own [p]', [user, calls(call('p', true))]],
    ['two calls with one id', [user, calls(call('a'), call('a')), answers(result('a'), result('a'))]],
    ['nothing answers [a]', [user, calls(call('a'))]],
  ] as const satisfies [string, ModelMessage[]][]) {
    test(`refuses one that ${why}`, () => {
      const refusal = providerRefusal(messages)
      assert.ok(refusal?.includes(why), String(refusal))
    })
  }
})
