import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openingContent } from '../../test/ledger-of.ts'
import { sampleEvent } from '../../test/sample-event.ts'
import { InvalidEventError, NotCanonicalError, PayloadTooLargeError } from '../errors/input-errors.ts'
import { encodeCanonicalJson } from '../json/canonical-json.ts'
import type { KnownContent } from './content.ts'
import { encodeCanonicalRuntimeEvent, maxEventBytes } from './encode.ts'

const opening = openingContent({ kind: 'fresh' })
const digest = 'a0'.repeat(32)

const everyKind: { readonly [Kind in KnownContent['kind']]: Extract<KnownContent, { kind: Kind }> } = {
  text: { kind: 'text', text: 'a\0b', interrupted: true, providerMetadata: { itemId: 'i' } },
  thinking: { kind: 'thinking', text: '', providerMetadata: { signature: 's' } },
  function_call: { kind: 'function_call', toolCallId: 'c', name: 'read', args: null, providerExecuted: true },
  function_response: {
    kind: 'function_response',
    toolCallId: 'c',
    name: '',
    outcome: 'unknown',
    result: [1e21],
    durationMs: 0.5,
  },
  error: { kind: 'error', message: 'm', code: 'c' },
  blob: { kind: 'blob', digest: `sha256:${digest}`, mediaType: 'image/png', bytes: 0 },
  file: { kind: 'file', mediaType: 'image/png', data: '' },
  source: { kind: 'source', sourceId: 's', url: 'u', title: 't', mediaType: 'm' },
  invocation_opened: {
    ...opening,
    configuration: { ...opening.configuration, cwd: '/', settings: { ['__proto__']: 1 } },
    source: { kind: 'retry', supersedes: 'invocation-0' },
    lineage: { parentInvocationId: 'p', parentToolCallId: 'c' },
  },
}

const accepted: [name: string, event: object][] = [
  ...Object.entries(everyKind).map(([kind, content]): [string, object] => [
    `content of kind ${kind}`,
    sampleEvent({ content }),
  ]),
  [
    'content of an unknown kind, whole',
    sampleEvent({ content: { kind: 'hologram', deep: [{ ['__proto__']: null }] } }),
  ],
  ['an event without content', sampleEvent()],
  [
    'a terminal event',
    sampleEvent({
      status: 'completed',
      actions: {
        endInvocation: true,
        ending: { stopReason: 'end_turn', partialText: 'not_recorded' },
        ledgerDigest: digest,
      },
    }),
  ],
  [
    'every action',
    sampleEvent({
      actions: {
        endInvocation: false,
        tokenUsage: { inputTokens: 1, totalTokens: 0 },
        request: { requestId: 'r', kind: 'user_question', toolCallId: 'c', payload: null },
        answer: { requestId: 'r', requestDigest: 'a'.repeat(64), outcome: 'approved', args: { a: 1 }, by: 'me' },
        answerAck: { requestId: 'r', decision: 'approved' },
        storableChanges: [{ path: '/a', was: 'bigint' }],
        stateDelta: { ['__proto__']: { x: 1 } },
      },
    }),
  ],
  [
    'every ref and a path of agents',
    sampleEvent({ refs: { messageId: 'm', toolCallId: 'c', stepId: 's', requestId: 'r' }, agentPath: ['', 'b'] }),
  ],
  ['any safe integer as ts', sampleEvent({ ts: -9007199254740991 })],
]

function response(fields: object): object {
  return sampleEvent({ content: { ...everyKind.function_response, ...fields } })
}

const invalid: [name: string, event: unknown, path: string, problem: RegExp][] = [
  ['null', null, '', /must be an object/],
  ['an array', [], '', /must be an object/],
  ['an unknown field', sampleEvent({ note: 1 } as object), '/note', /is not a field of this version/],
  ['a version', sampleEvent({ v: 1 }), '/v', /is not a field of this version/],
  ['a missing id', { ...sampleEvent(), id: undefined, ts: undefined }, '/id', /is missing/],
  ['an empty id', sampleEvent({ id: '' }), '/id', /must not be empty/],
  ['a session id with NUL', sampleEvent({ sessionId: 'a\0' }), '/sessionId', /NUL/],
  ['a long run id', sampleEvent({ runId: 'é'.repeat(101) }), '/runId', /more than 200 bytes/],
  ['a turn id that is a number', sampleEvent({ turnId: 1 as never }), '/turnId', /must be a string/],
  ['a ts with a fraction', sampleEvent({ ts: 1.5 }), '/ts', /safe integer/],
  ['a ts that is not exact', sampleEvent({ ts: 2 ** 53 }), '/ts', /safe integer/],
  ['a partial event', sampleEvent({ partial: true as never }), '/partial', /must be false/],
  ['an unknown role', sampleEvent({ role: 'assistant' as never }), '/role', /must be "system" or/],
  ['an unknown author', sampleEvent({ author: 'model' as never }), '/author', /must be/],
  ['an unknown visibility', sampleEvent({ modelVisibility: 'gone' as never }), '/modelVisibility', /must be/],
  ['an unknown status', sampleEvent({ status: 'running' as never }), '/status', /must be/],
  ['content without a kind', sampleEvent({ content: {} as never }), '/content/kind', /is missing/],
  ['content of an unknown kind with a bad name', sampleEvent({ content: { kind: 'a\0' } }), '/content/kind', /NUL/],
  ['text that is not text', sampleEvent({ content: { kind: 'text', text: 1 } }), '/content/text', /must be a string/],
  [
    'text with an unknown field',
    sampleEvent({ content: { kind: 'text', text: '', 'a/b': 1 } }),
    '/content/a~1b',
    /not a field/,
  ],
  [
    'a flag that is false',
    sampleEvent({ content: { kind: 'text', text: '', interrupted: false } }),
    '/content/interrupted',
    /must be true/,
  ],
  [
    'a call without arguments',
    sampleEvent({ content: { kind: 'function_call', toolCallId: 'c', name: 'n' } }),
    '/content/args',
    /is missing/,
  ],
  [
    'metadata that is a list',
    sampleEvent({ content: { kind: 'thinking', text: '', providerMetadata: [] } }),
    '/content/providerMetadata',
    /must be an object/,
  ],
  ['an unknown outcome', response({ outcome: 'maybe' }), '/content/outcome', /must be/],
  ['a duration that is text', response({ durationMs: '1' }), '/content/durationMs', /finite number/],
  [
    'a digest in upper case',
    sampleEvent({ content: { ...everyKind.blob, digest: `sha256:${'A0'.repeat(32)}` } }),
    '/content/digest',
    /lower-case hex/,
  ],
  ['a negative size', sampleEvent({ content: { ...everyKind.blob, bytes: -1 } }), '/content/bytes', /at least 0/],
  [
    'an opening of another protocol',
    sampleEvent({ content: { ...opening, protocol: 'v2' } as never }),
    '/content/protocol',
    /must be/,
  ],
  [
    'an unknown field of an opening',
    sampleEvent({ content: { ...opening, route: { backendKind: 'x', y: 1 } } as never }),
    '/content/route/y',
    /not a field/,
  ],
  [
    'an unknown source of an invocation',
    sampleEvent({ content: { ...opening, source: { kind: 'dream' } } as never }),
    '/content/source/kind',
    /must be "fresh" or/,
  ],
  [
    'a retry of nothing',
    sampleEvent({ content: { ...opening, source: { kind: 'retry' } } as never }),
    '/content/source/supersedes',
    /is missing/,
  ],
  ['an unknown action', sampleEvent({ actions: { transfer: 1 } as never }), '/actions/transfer', /not a field/],
  [
    'a usage that is not a number of tokens',
    sampleEvent({ actions: { tokenUsage: { inputTokens: 0.5 } } }),
    '/actions/tokenUsage/inputTokens',
    /at least 0/,
  ],
  [
    'a change without a path',
    sampleEvent({ actions: { storableChanges: [{ was: 'x' }] as never } }),
    '/actions/storableChanges/0/path',
    /is missing/,
  ],
  [
    'a ledger digest that is too short',
    sampleEvent({ status: 'failed', actions: { ledgerDigest: 'a0' } }),
    '/actions/ledgerDigest',
    /64 lower-case/,
  ],
  [
    'a ledger digest before the end',
    sampleEvent({ actions: { ledgerDigest: digest } }),
    '/actions/ledgerDigest',
    /terminal event/,
  ],
  ['an unknown ref', sampleEvent({ refs: { traceId: 't' } as never }), '/refs/traceId', /not a field/],
  ['a ref that is no id', sampleEvent({ refs: { stepId: '' } }), '/refs/stepId', /must not be empty/],
  ['a path of agents that is text', sampleEvent({ agentPath: 'a' as never }), '/agentPath', /must be an array/],
  ['an agent without a name', sampleEvent({ agentPath: ['a', null] as never }), '/agentPath/1', /must be a string/],
]

describe('encodeCanonicalRuntimeEvent', () => {
  for (const [name, value] of accepted) {
    test(`takes ${name} and gives its one text and a copy`, () => {
      const { event, json } = encodeCanonicalRuntimeEvent(value)
      assert.equal(json, encodeCanonicalJson(value))
      assert.deepStrictEqual(event, value)
      assert.notEqual(event, value)
    })
  }

  for (const [name, value, path, problem] of invalid) {
    test(`refuses ${name} and names its path`, () => {
      // Undefined is refused earlier, so a missing field is one that is not there.
      const given = JSON.parse(JSON.stringify(value)) as unknown
      assert.throws(
        () => encodeCanonicalRuntimeEvent(given),
        (error: unknown) => error instanceof InvalidEventError && error.path === path && problem.test(error.message),
      )
    })
  }

  test('refuses what has no lossless JSON text wherever it is', () => {
    assert.throws(
      () => encodeCanonicalRuntimeEvent(sampleEvent({ content: { kind: 'hologram', at: new Date(0) as never } })),
      (error: unknown) => error instanceof NotCanonicalError && error.path === '/content/at',
    )
  })

  test('takes exactly 1 MiB of UTF-8', () => {
    const withText = (text: string) => sampleEvent({ content: { kind: 'text', text } })
    const room = maxEventBytes - Buffer.byteLength(encodeCanonicalRuntimeEvent(withText('')).json)
    for (const text of ['x'.repeat(room), 'é'.repeat(room >> 1) + 'x'.repeat(room & 1)]) {
      assert.equal(Buffer.byteLength(encodeCanonicalRuntimeEvent(withText(text)).json), maxEventBytes)
      assert.throws(
        () => encodeCanonicalRuntimeEvent(withText(`${text}x`)),
        (error: unknown) => error instanceof PayloadTooLargeError && error.bytes === maxEventBytes + 1,
      )
    }
  })
})
