import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InvocationEnding } from '@daybook/core/canonical-runtime-event'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { eventsOf, type Script, scriptedBackend } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { typesOf } from '../../test/take.ts'

interface Case {
  readonly script: (say: ReturnType<typeof eventsOf>) => AsyncIterable<unknown>
  readonly told: readonly string[]
  /** What follows the opening and the user's text. */
  readonly facts: readonly string[]
  readonly ending: InvocationEnding
}

/** Throws whatever it is given at the first pull. */
function throwing(thrown: unknown): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        throw thrown
      },
    }),
  }
}

const failed = (failureCode: string): InvocationEnding => ({ stopReason: 'error', failureCode })

const cases: Record<string, Case> = {
  'completes after a text': {
    async *script(say) {
      yield say.delta('hel')
      yield say.delta('lo')
      yield say.text('hello')
      yield say.complete()
    },
    told: ['text_delta', 'text_delta', 'text_complete', 'complete'],
    facts: ['text:hello', 'completed'],
    ending: { stopReason: 'end_turn' },
  },
  'completes at once': {
    async *script(say) {
      yield say.complete('max_tokens')
    },
    told: ['complete'],
    facts: ['completed'],
    ending: { stopReason: 'max_tokens' },
  },
  'completes with texts and calls still open': {
    async *script(say) {
      yield say.thought('hm')
      yield say.delta('half an ans')
      yield say.call('c1')
      yield say.complete()
    },
    told: [
      'thinking_delta',
      'text_delta',
      'tool_start',
      'thinking_complete',
      'text_complete',
      'tool_result',
      'complete',
    ],
    facts: [
      'function_call:c1',
      'thinking:hm:interrupted',
      'text:half an ans:interrupted',
      'function_response:unknown',
      'completed',
    ],
    ending: { stopReason: 'end_turn' },
  },
  'reports an error and completes': {
    async *script(say) {
      yield say.error('rate limit', 'rate_limit')
      yield say.complete()
    },
    told: ['error', 'complete'],
    facts: ['error:rate_limit', 'failed'],
    ending: { stopReason: 'end_turn', failureCode: 'rate_limit' },
  },
  'fails by its own word': {
    async *script(say) {
      yield say.complete('step_limit')
    },
    told: ['complete'],
    facts: ['failed'],
    ending: { stopReason: 'step_limit', failureCode: 'step_limit' },
  },
  'aborts by itself': {
    async *script(say) {
      yield say.abort('provider')
    },
    told: ['abort'],
    facts: ['aborted'],
    ending: { stopReason: 'user_stop', abortSource: 'provider' },
  },
  'waits, with its call open': {
    async *script(say) {
      yield say.call('c1')
      yield say.question('q1', 'c1')
      yield say.delta('I wait')
      yield say.complete('waiting')
    },
    told: ['tool_start', 'user_question_request', 'text_delta', 'text_complete', 'complete'],
    facts: ['function_call:c1', 'fact', 'text:I wait:interrupted', 'waiting'],
    ending: { stopReason: 'waiting' },
  },
  'throws before the first event': {
    script: () => throwing(new Error('no network')),
    told: ['error', 'complete'],
    facts: ['error:backend_threw', 'failed'],
    ending: failed('backend_threw'),
  },
  'throws after the first event, in a text and a call': {
    async *script(say) {
      yield say.call('c1')
      yield say.delta('so far')
      throw new Error('socket closed')
    },
    told: ['tool_start', 'text_delta', 'error', 'text_complete', 'tool_result', 'complete'],
    facts: [
      'function_call:c1',
      'error:backend_threw',
      'text:so far:interrupted',
      'function_response:unknown',
      'failed',
    ],
    ending: failed('backend_threw'),
  },
  'throws what is no error and has no text': {
    script: () => throwing({ toString: () => null }),
    told: ['error', 'complete'],
    facts: ['error:backend_threw', 'failed'],
    ending: failed('backend_threw'),
  },
  'ends without a terminal': {
    async *script(say) {
      yield say.text('bye')
    },
    told: ['text_complete', 'error', 'complete'],
    facts: ['text:bye', 'error:missing_terminal_event', 'failed'],
    ending: failed('missing_terminal_event'),
  },
  'goes on after its terminal': {
    async *script(say) {
      yield say.complete()
      yield say.text('one more thing')
      yield say.complete('error')
    },
    told: ['complete'],
    facts: ['completed'],
    ending: { stopReason: 'end_turn' },
  },
  'yields nothing that is an event': {
    async *script(say) {
      yield say.text('fine')
      yield 17
    },
    told: ['text_complete', 'error', 'complete'],
    facts: ['text:fine', 'error:INVALID_EVENT', 'failed'],
    ending: failed('INVALID_EVENT'),
  },
  'yields an event of another turn': {
    async *script() {
      yield eventsOf('another').text('lost')
    },
    told: ['error', 'complete'],
    facts: ['error:INVALID_EVENT', 'failed'],
    ending: failed('INVALID_EVENT'),
  },
  'yields an event that is too large': {
    async *script(say) {
      yield say.call('c1')
      yield say.result('c1', 'x'.repeat(1024 * 1024))
      yield say.complete()
    },
    told: ['tool_start', 'error', 'tool_result', 'complete'],
    facts: ['function_call:c1', 'error:PAYLOAD_TOO_LARGE', 'function_response:unknown', 'failed'],
    ending: failed('PAYLOAD_TOO_LARGE'),
  },
  'streams more than an event can hold, and throws': {
    async *script(say) {
      for (let i = 0; i < 3; i++) yield say.delta('x'.repeat(500_000))
      throw new Error('socket closed')
    },
    told: ['text_delta', 'text_delta', 'text_delta', 'error', 'text_complete', 'complete'],
    facts: ['error:backend_threw', `text:${'x'.repeat(500_000)}:interrupted`, 'failed'],
    ending: { ...failed('backend_threw'), partialText: 'not_recorded' },
  },
  'uses one id for two different events': {
    async *script(say) {
      yield { ...say.text('first'), id: 'same' }
      yield { ...say.text('second'), id: 'same' }
      yield say.complete()
    },
    told: ['text_complete', 'error', 'complete'],
    facts: ['text:first', 'error:EVENT_ID_CONFLICT', 'failed'],
    ending: failed('EVENT_ID_CONFLICT'),
  },
  'uses the id of another event for its terminal, with a text open': {
    async *script(say) {
      yield { ...say.text('first'), id: 'same' }
      yield say.delta('and')
      yield { ...say.complete(), id: 'same' }
    },
    told: ['text_complete', 'text_delta', 'error', 'complete'],
    facts: ['text:first', 'error:EVENT_ID_CONFLICT', 'failed'],
    ending: { ...failed('EVENT_ID_CONFLICT'), partialText: 'not_recorded' },
  },
  'repeats an event with the same content': {
    async *script(say) {
      const text = say.text('once')
      yield text
      yield text
      yield say.complete()
    },
    told: ['text_complete', 'complete'],
    facts: ['text:once', 'completed'],
    ending: { stopReason: 'end_turn' },
  },
  'yields a type from the future': {
    async *script(say) {
      yield { ...say.text(''), type: 'hologram', density: 3n }
      yield say.complete()
    },
    told: ['hologram', 'complete'],
    facts: ['fact', 'completed'],
    ending: { stopReason: 'end_turn' },
  },
  'is no iterable': {
    script: () => undefined as never,
    told: ['error', 'complete'],
    facts: ['error:backend_threw', 'failed'],
    ending: failed('backend_threw'),
  },
  'gives no iterator result': {
    script: () => ({ [Symbol.asyncIterator]: () => ({ next: () => null as never }) }),
    told: ['error', 'complete'],
    facts: ['error:backend_threw', 'failed'],
    ending: failed('backend_threw'),
  },
}

for (const { name, open } of storageKinds) {
  describe(`a turn on ${name} whose backend`, () => {
    for (const [title, { script, told, facts, ending }] of Object.entries(cases)) {
      test(title, async () => {
        const { storage, dispose } = open()
        const play: Script = ({ turnId }) => script(eventsOf(turnId))
        const { manager, session, warnings } = await openManager(storage, play)
        const types = await typesOf(manager.sendMessage(session.id, { turnId: 'turn-1', text: 'hi' }))
        assert.deepEqual(types, told)
        assert.deepEqual(await factsOf(storage, session.id), ['invocation_opened', 'user:hi', ...facts])
        assert.deepEqual(await endingOf(storage, session.id), ending)
        await assertWhole(storage)
        assert.deepEqual(await typesOf(manager.sendMessage(session.id, { turnId: 'turn-2', text: 'again' })), told)
        await manager.close()
        assert.deepEqual(warnings, [])
        await dispose()
      })
    }
  })
}

describe('a turn whose backend cannot be built', () => {
  test('fails, and the next turn builds again', async () => {
    const { storage, dispose } = storageKinds[0]!.open()
    let failures = 1
    const play: Script = async function* ({ turnId }) {
      yield eventsOf(turnId).complete()
    }
    const backend = scriptedBackend(play)
    const { manager, session } = await openManager(storage, {
      ...backend,
      factory: (context) => {
        if (failures-- > 0) throw new Error('no key')
        return backend.factory(context)
      },
    })
    assert.deepEqual(await typesOf(manager.sendMessage(session.id, { text: 'hi' })), ['error', 'complete'])
    assert.equal((await endingOf(storage, session.id))?.failureCode, 'backend_threw')
    assert.deepEqual(await typesOf(manager.sendMessage(session.id, { text: 'hi' })), ['complete'])
    await manager.close()
    await assertWhole(storage)
    await dispose()
  })
})
