import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  call,
  ended,
  fact,
  ledgerOf,
  opened,
  openingContent,
  response,
  said,
  text,
  type Fact,
} from '../../test/ledger-of.ts'
import { modelMessagesFromEvents } from './model-messages.ts'

/** Messages in short: `user hi`, `assistant text hello | call 1`, `tool 1 ok done`. */
function told(...facts: Fact[]): string[] {
  return modelMessagesFromEvents(ledgerOf(facts)).map(
    ({ role, parts }) =>
      `${role} ${parts
        .map((part) => {
          if (part.type === 'text') return part.text
          if (part.type === 'tool_call') return `call ${part.toolCallId}`
          if (part.type === 'tool_result') return `${part.toolCallId} ${part.outcome} ${JSON.stringify(part.result)}`
          return part.type
        })
        .join(' | ')}`,
  )
}

const thinking = (more: { interrupted?: true; providerMetadata?: { signature: string } } = {}): Fact =>
  fact('a', { kind: 'thinking', text: 'hm', ...more })
const providerCall = fact('a', {
  kind: 'function_call',
  toolCallId: 'p',
  name: 'search',
  args: {},
  providerExecuted: true,
})

describe('modelMessagesFromEvents', () => {
  test('gives whole parts', () => {
    const providerMetadata = { provider: { id: 'x' } }
    const messages = modelMessagesFromEvents(
      ledgerOf([
        opened('a'),
        said('a', 'hi'),
        fact('a', { kind: 'thinking', text: 'hm', providerMetadata }),
        fact('a', { kind: 'text', text: 'cut', interrupted: true, providerMetadata }),
        fact('a', { kind: 'file', mediaType: 'image/png', data: 'AA==', providerMetadata }),
        fact('a', { kind: 'function_call', toolCallId: '1', name: 'read', args: { path: 'x' }, providerMetadata }),
        fact('a', {
          kind: 'function_response',
          toolCallId: '1',
          name: 'read',
          outcome: 'error',
          result: 'no',
          durationMs: 4,
          providerMetadata,
        }),
      ]),
    )
    assert.deepEqual(messages, [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'hm', providerMetadata },
          { type: 'text', text: 'cut', interrupted: true, providerMetadata },
          { type: 'file', mediaType: 'image/png', data: 'AA==', providerMetadata },
          { type: 'tool_call', toolCallId: '1', toolName: 'read', args: { path: 'x' }, providerMetadata },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool_result', toolCallId: '1', toolName: 'read', outcome: 'error', result: 'no', providerMetadata },
        ],
      },
    ])
  })

  describe('steps', () => {
    test('puts the facts of one step into one message and its results, in the order of the calls, into the next', () => {
      assert.deepEqual(
        told(
          opened('a'),
          said('a', 'hi'),
          call('a', '1', 's1'),
          call('a', '2', 's1'),
          response('a', '2'),
          text('a', 'late', 's1'),
          response('a', '1'),
          call('a', '3', 's2'),
          response('a', '3'),
          text('a', 'done', 's3'),
        ),
        [
          'user hi',
          'assistant call 1 | call 2 | late',
          'tool 1 ok "done" | 2 ok "done"',
          'assistant call 3',
          'tool 3 ok "done"',
          'assistant done',
        ],
      )
    })

    test('ends a group without a step at what follows a result of it', () => {
      assert.deepEqual(
        told(
          opened('a'),
          text('a', 'let me see'),
          call('a', '1'),
          call('a', '2'),
          response('a', '1'),
          response('a', '2'),
          thinking(),
          call('a', '3'),
          response('a', '3'),
          text('a', 'done'),
        ),
        [
          'assistant let me see | call 1 | call 2',
          'tool 1 ok "done" | 2 ok "done"',
          'assistant thinking | call 3',
          'tool 3 ok "done"',
          'assistant done',
        ],
      )
    })

    test('ends a group without a step where a step begins', () => {
      assert.deepEqual(told(opened('a'), text('a', '1'), text('a', '2', 's'), text('a', '3')), ['assistant 1 | 2 | 3'])
    })

    test('joins what would repeat a role', () => {
      assert.deepEqual(
        told(
          opened('a'),
          said('a', 'hi'),
          ended('a', 'failed'),
          opened('b'),
          said('b', 'again'),
          text('b', 'x', 's1'),
          text('b', 'y', 's2'),
        ),
        ['user hi | again', 'assistant x | y'],
      )
    })

    test('does not join messages that would have two calls with one id', () => {
      assert.deepEqual(
        told(
          opened('a'),
          providerCall,
          response('a', 'p'),
          ended('a', 'failed'),
          opened('b', { kind: 'continuation', of: 'a' }),
          call('b', 'p'),
        ),
        ['assistant call p | p ok "done"', 'assistant call p', 'tool p unknown null'],
      )
    })

    test('tells what the user says in between at its place', () => {
      assert.deepEqual(
        told(opened('a'), said('a', 'hi'), call('a', '1'), said('a', 'faster'), response('a', '1'), text('a', 'done')),
        ['user hi', 'assistant call 1', 'tool 1 ok "done"', 'user faster', 'assistant done'],
      )
      assert.deepEqual(told(opened('a'), text('a', 'well'), said('a', 'go on'), text('a', 'so')), [
        'assistant well',
        'user go on',
        'assistant so',
      ])
    })

    test('takes the same step id in another invocation for another step', () => {
      assert.deepEqual(
        told(
          opened('a'),
          call('a', '1', 's'),
          ended('a', 'waiting'),
          opened('b', { kind: 'continuation', of: 'a' }),
          response('b', '1'),
          text('b', 'done', 's'),
        ),
        ['assistant call 1', 'tool 1 ok "done"', 'assistant done'],
      )
    })
  })

  describe('tool calls', () => {
    test('keeps the first response and ignores later ones, repeats of an open call, and responses without a call', () => {
      assert.deepEqual(
        told(
          opened('a'),
          response('a', '1', 'too early'),
          call('a', '1', 's'),
          call('a', '1', 's'),
          response('a', '1', 'first'),
          response('a', '1', 'second', 'error'),
          response('a', 'nobody'),
        ),
        ['assistant call 1', 'tool 1 ok "first"'],
      )
    })

    test('takes an id that was answered for a new call, even in the same step', () => {
      assert.deepEqual(
        told(opened('a'), call('a', '1', 's'), response('a', '1', 'x'), call('a', '1', 's'), response('a', '1', 'y')),
        ['assistant call 1', 'tool 1 ok "x"', 'assistant call 1', 'tool 1 ok "y"'],
      )
    })

    test('says unknown where a finished or running invocation has no response', () => {
      const facts = [opened('a'), call('a', '1'), call('a', '2'), response('a', '2')]
      const expected = ['assistant call 1 | call 2', 'tool 1 unknown null | 2 ok "done"']
      assert.deepEqual(told(...facts), expected)
      assert.deepEqual(told(...facts, ended('a', 'aborted')), expected)
    })

    test('says not answered where a waiting invocation has no response', () => {
      const facts = [opened('a'), call('a', '1'), ended('a', 'waiting')]
      const expected = ['assistant call 1', 'tool 1 not_answered null']
      assert.deepEqual(told(...facts), expected)
      assert.deepEqual(told(...facts, opened('b'), said('b', 'never mind')), [...expected, 'user never mind'])
    })

    test('keeps the results of the provider’s own tools in the message, and its unanswered calls out', () => {
      const answer = fact('a', {
        kind: 'function_response',
        toolCallId: 'p',
        name: 'search',
        outcome: 'ok',
        result: 'found',
      })
      assert.deepEqual(told(opened('a'), providerCall, call('a', '1'), answer, text('a', 'so')), [
        'assistant call p | p ok "found" | call 1',
        'tool 1 unknown null',
        'assistant so',
      ])
      assert.deepEqual(told(opened('a'), thinking(), providerCall, ended('a', 'failed')), [])
      assert.deepEqual(told(opened('a'), providerCall, response('a', 'p', 'x', 'unknown'), text('a', 'so')), [
        'assistant so',
      ])
    })

    test('tells the outcome of a response that the model may not see, and not its result', () => {
      const hidden: Fact = { ...response('a', '1', 'secret', 'error'), modelVisibility: 'hidden' }
      assert.deepEqual(told(opened('a'), call('a', '1'), hidden), ['assistant call 1', 'tool 1 error null'])
    })
  })

  describe('what providers refuse', () => {
    test('leaves out thinking that was cut off unsigned or that nothing follows', () => {
      assert.deepEqual(told(opened('a'), thinking({ interrupted: true }), text('a', 'x')), ['assistant x'])
      assert.deepEqual(
        told(opened('a'), thinking({ interrupted: true, providerMetadata: { signature: 's' } }), text('a', 'x')),
        ['assistant thinking | x'],
      )
      assert.deepEqual(told(opened('a'), said('a', 'hi'), text('a', 'x'), thinking(), thinking()), [
        'user hi',
        'assistant x',
      ])
    })

    test('leaves out blank texts and messages that are empty without them', () => {
      assert.deepEqual(told(opened('a'), said('a', 'hi'), text('a', ' \n'), thinking()), ['user hi'])
    })
  })

  describe('what counts', () => {
    test('tells only what the model may see, of known kinds, up to the terminal event', () => {
      assert.deepEqual(
        told(
          opened('a'),
          { ...text('a', 'hidden'), modelVisibility: 'hidden' },
          fact('a', { kind: 'of_tomorrow', text: 'x' }),
          fact('a', { kind: 'text', text: 1 as unknown as string }),
          fact('a', { kind: 'error', message: 'x' }),
          { ...text('a', 'note'), role: 'system' },
          { ...text('a', 'partial'), partial: true as false },
          text('a', 'answer'),
          ended('a', 'completed'),
          text('a', 'straggler'),
          text('nobody', 'no opening'),
        ),
        ['assistant answer'],
      )
    })

    test('takes the newest attempt and its continuations, and nothing of superseded ones', () => {
      assert.deepEqual(
        told(
          opened('a'),
          text('a', 'first'),
          ended('a', 'waiting'),
          opened('a2', { kind: 'continuation', of: 'a' }),
          text('a2', 'first goes on'),
          ended('a2', 'failed'),
          opened('b', { kind: 'retry', supersedes: 'a' }),
          text('b', 'second'),
          opened('c', { kind: 'retry', supersedes: 'a' }),
          text('c', 'third'),
          ended('c', 'waiting'),
          opened('c2', { kind: 'continuation', of: 'c' }),
          text('c2', 'third goes on'),
          opened('c3', { kind: 'retry', supersedes: 'c2' }),
          text('c3', 'third goes on anew'),
        ),
        ['assistant third | third goes on anew'],
      )
    })

    test('leaves out what a sub-agent was told and said', () => {
      const opening = { content: { ...openingContent({ kind: 'fresh' }), lineage: { parentInvocationId: 'a' } } }
      assert.deepEqual(
        told(
          opened('a'),
          said('a', 'hi'),
          opened('sub', undefined, opening),
          said('sub', 'find'),
          text('sub', 'found'),
        ),
        ['user hi'],
      )
    })

    test('takes a retry or continuation of something that is not there for an attempt of its own', () => {
      assert.deepEqual(
        told(
          opened('a', { kind: 'retry', supersedes: 'pruned' }),
          text('a', 'x'),
          opened('b', { kind: 'continuation', of: 'b' }),
          text('b', 'y'),
          opened('c', undefined, { content: { kind: 'invocation_opened' } }),
          text('c', 'z'),
        ),
        ['assistant x | y | z'],
      )
    })
  })
})
