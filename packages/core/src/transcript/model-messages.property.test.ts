import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { conversationFacts } from '../../test/conversation-oracle.ts'
import { providerRefusal } from '../../test/provider-refusal.ts'
import { anyLedger } from '../../test/random-ledger.ts'
import { modelMessagesFromEvents } from './model-messages.ts'
import { transcriptFromEvents } from './transcript.ts'

const runs = { numRuns: 2000 }

describe('modelMessagesFromEvents, for any history', () => {
  test('gives what a strict provider takes', () => {
    fc.assert(
      fc.property(anyLedger, (events) => {
        assert.equal(providerRefusal(modelMessagesFromEvents(events)), undefined)
      }),
      runs,
    )
  })

  test('tells every visible text and call that counts once, and nothing else', () => {
    fc.assert(
      fc.property(anyLedger, (events) => {
        const told = modelMessagesFromEvents(events).flatMap(({ parts }) => [...parts])
        const facts = conversationFacts(events).filter(({ modelVisibility }) => modelVisibility === 'visible')
        const texts = facts.flatMap(({ content }) => (content?.kind === 'text' ? [content.text as string] : []))
        assert.deepEqual(
          told.flatMap((part) => (part.type === 'text' ? part.text : [])).sort(),
          texts.filter((text) => text.trim() !== '').sort(),
        )
        const results = facts.flatMap(({ content }) => (content?.kind === 'function_response' ? [content.result] : []))
        const toldResults = told.flatMap((part) => (part.type === 'tool_result' ? [part.result] : []))
        for (const result of toldResults) assert.ok(result === null || results.includes(result))
        const answers = toldResults.filter((result) => result !== null)
        assert.equal(new Set(answers).size, answers.length)
      }),
      runs,
    )
  })

  test('gives each call the outcome that people read', () => {
    fc.assert(
      fc.property(anyLedger, (events) => {
        const counting = new Set(conversationFacts(events).map(({ invocationId }) => invocationId))
        const read = transcriptFromEvents(events)
          .flatMap(({ invocationId, items }) => (counting.has(invocationId) ? items : []))
          .flatMap((item) => (item.type === 'tool_call' && !item.providerExecuted ? [item] : []))
        const told = modelMessagesFromEvents(events).flatMap(({ role, parts }) => (role === 'tool' ? parts : []))
        const outcomes = (calls: readonly { toolCallId: string; outcome: string }[]): string[] =>
          calls.map(({ toolCallId, outcome }) => `${toolCallId} ${outcome === 'ok' ? 'ok' : 'without'}`).sort()
        assert.deepEqual(outcomes(told), outcomes(read))
      }),
      runs,
    )
  })

  test('depends on the session order alone, not on the order of its input', () => {
    fc.assert(
      fc.property(anyLedger, fc.nat(), (events, turn) => {
        const at = events.length === 0 ? 0 : turn % events.length
        const shifted = [...events.slice(at), ...events.slice(0, at).toReversed()]
        assert.deepEqual(modelMessagesFromEvents(shifted), modelMessagesFromEvents(events))
        assert.deepEqual(transcriptFromEvents(shifted), transcriptFromEvents(events))
      }),
      runs,
    )
  })
})
