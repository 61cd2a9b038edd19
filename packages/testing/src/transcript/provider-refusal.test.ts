import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelMessage } from '@daybook/core/backend-types'
import { providerRefusal } from './provider-refusal.ts'

const user: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'hi' }] }
const answer: ModelMessage = { role: 'assistant', parts: [{ type: 'text', text: 'hello' }] }

function call(...ids: string[]): ModelMessage {
  return {
    role: 'assistant',
    parts: ids.map((toolCallId) => ({ type: 'tool_call', toolCallId, toolName: 'tool', args: {} })),
  }
}

function results(...ids: string[]): ModelMessage {
  return {
    role: 'tool',
    parts: ids.map((toolCallId) => ({
      type: 'tool_result',
      toolCallId,
      toolName: 'tool',
      outcome: 'ok',
      result: null,
    })),
  }
}

describe('providerRefusal', () => {
  test('takes a conversation in turns whose calls all have results', () => {
    assert.equal(providerRefusal([]), undefined)
    assert.equal(providerRefusal([user, call('a', 'b'), results('a', 'b'), call('a'), results('a'), answer]), undefined)
    assert.equal(providerRefusal([user, call('a'), results('a'), user]), undefined)
  })

  const refused: [conversation: ModelMessage[], why: RegExp][] = [
    [[answer], /first/],
    [[user, user], /repeats the role/],
    [[user, { role: 'assistant', parts: [] }], /empty/],
    [[{ role: 'user', parts: [{ type: 'text', text: ' ' }] }], /blank/],
    [[user, call('a')], /nothing answers \[a\]/],
    [[user, call('a'), user], /answers \[\] where \[a\] are due/],
    [[user, call('a', 'b'), results('b', 'a')], /answers \[b,a\] where \[a,b\]/],
    [[user, results('a')], /answers \[a\] where \[\]/],
    [[user, call('a', 'a'), results('a', 'a')], /two calls with one id/],
    [[user, { role: 'assistant', parts: [{ type: 'thinking', text: 'hm' }] }], /ends in thinking/],
    [
      [
        user,
        { role: 'assistant', parts: [{ type: 'thinking', text: 'hm', interrupted: true }, ...(answer.parts as [])] },
      ],
      /unsigned/,
    ],
  ]
  for (const [conversation, why] of refused) {
    test(`refuses one that is told ${why.source}`, () => assert.match(providerRefusal(conversation) ?? '', why))
  }
})
