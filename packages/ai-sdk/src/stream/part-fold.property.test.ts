import { describe, it } from 'node:test'
import { decodeSessionEvent } from '@daybook/core/events'
import fc from 'fast-check'
import { assertWholeTurn } from '../../test/valid-turn.ts'
import { createPartFold } from './part-fold.ts'
import type { StreamPart } from './stream-part.ts'

const id = fc.constantFrom('1', 'c', '')
const metadata = fc.option(fc.constant({ provider: { signature: 's' } }), { nil: undefined })
const toolName = fc.constantFrom('read', 'write')
const sometimes = fc.boolean()
const ofType = <T extends StreamPart['type']>(type: T, fields: object = {}): fc.Arbitrary<StreamPart> =>
  fc.record({ type: fc.constant(type), ...fields }) as fc.Arbitrary<StreamPart>
const toolCall = {
  toolCallId: id,
  toolName,
  input: fc.oneof(fc.constant({}), fc.string()),
  providerExecuted: sometimes,
}

/** Every part, in no order, about few ids: what no provider would send as well. */
const part: fc.Arbitrary<StreamPart> = fc.oneof(
  ofType('start'),
  ofType('ping'),
  ofType('start-step'),
  ...(['text', 'reasoning'] as const).flatMap((kind) => [
    ofType(`${kind}-start`, { id, providerMetadata: metadata }),
    ofType(`${kind}-delta`, { id, text: fc.string({ maxLength: 3 }), providerMetadata: metadata }),
    ofType(`${kind}-end`, { id, providerMetadata: metadata }),
  ]),
  ofType('tool-input-start', { id, toolName }),
  ofType('tool-input-delta', { id, delta: fc.string({ maxLength: 3 }) }),
  ofType('tool-call', { ...toolCall, invalid: sometimes }),
  ofType('tool-result', { toolCallId: id, output: fc.anything(), preliminary: sometimes }),
  ofType('tool-error', { toolCallId: id, error: fc.anything(), providerExecuted: sometimes }),
  ofType('tool-approval-request', {
    approvalId: fc.constant('a'),
    toolCall: fc.record(toolCall),
    isAutomatic: sometimes,
  }),
  ofType('tool-approval-response', { approvalId: id, toolCall: fc.record(toolCall), approved: sometimes }),
  ofType('tool-output-denied', { toolCallId: id }),
  ofType('source', { id }),
  ofType('file', { file: fc.constant({ base64: 'AAAA', mediaType: 'image/png' }) }),
  ofType('finish-step', { usage: fc.constant({ inputTokens: 1 }) }),
  ofType('finish', {
    finishReason: fc.constantFrom('stop', 'tool-calls', 'length', 'error', 'other', 'content-filter'),
  }),
  ofType('error', { error: fc.anything() }),
  ofType('abort'),
  fc.record({ type: fc.string() }) as fc.Arbitrary<never>,
)

describe('createPartFold', () => {
  it('makes a whole turn of any parts, however they end', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 60, size: 'max' }),
        fc.constantFrom('complete', 'fail', 'abort'),
        fc.boolean(),
        (parts, ending, began) => {
          const fold = createPartFold(
            { turnId: 'turn-1', invocationId: 'invocation-1', isAnsweredByPerson: (name) => name === 'write' },
            { began: () => began, durationMs: () => undefined, forget: () => undefined },
            () => 0,
          )
          const events = parts.flatMap((one) => [...fold.push(one)])
          const last = {
            complete: () => fold.complete(),
            fail: () => fold.fail('lost'),
            abort: () => fold.abort(undefined),
          }[ending]()
          assertWholeTurn([...events, ...last])
          for (const event of [...events, ...last]) decodeSessionEvent(event, 'turn-1')
        },
      ),
      { numRuns: 2000 },
    )
  })
})
