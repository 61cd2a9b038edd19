import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sampleEvent } from '../../test/sample-event.ts'
import { InvalidEventError } from '../errors/input-errors.ts'
import { encodeCanonicalJson } from '../json/canonical-json.ts'
import { decodeCanonicalRuntimeEvent } from './decode.ts'

describe('decodeCanonicalRuntimeEvent', () => {
  test('keeps kinds and fields of newer code, so that the bytes come out again', () => {
    const newer = {
      ...sampleEvent(),
      v: 7,
      role: 'narrator',
      status: 'paused',
      mood: { ['__proto__']: ['x'] },
      content: { kind: 'text', text: { rich: true } },
      actions: { endInvocation: 'soon', teleport: 1e21 },
      refs: { traceId: 't' },
    }
    const json = encodeCanonicalJson(newer)
    assert.deepStrictEqual(decodeCanonicalRuntimeEvent(json), newer)
    assert.equal(encodeCanonicalJson(decodeCanonicalRuntimeEvent(json)), json)
  })

  test('keeps the bytes of every event whose envelope it can read', () => {
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as object)
    const unknownName = fc.string().map((name) => `new ${name}`)
    const event = fc.record({ more: fc.dictionary(unknownName, json), delta: json }).map(({ more, delta }) => ({
      ...more,
      ...sampleEvent({ content: { kind: 'new', delta: delta as never } }),
    }))
    fc.assert(
      fc.property(event, (value) => {
        const text = encodeCanonicalJson(value)
        assert.equal(encodeCanonicalJson(decodeCanonicalRuntimeEvent(text)), text)
      }),
    )
  })

  test('reads the partial events of a foreign ledger', () => {
    const json = JSON.stringify({ ...sampleEvent(), partial: true })
    assert.equal(decodeCanonicalRuntimeEvent(json).partial, true)
  })

  const refusals: [json: string, path: string][] = [
    ['', ''],
    ['{"id":', ''],
    ['null', ''],
    ['[]', ''],
    ['{}', '/id'],
    [JSON.stringify({ ...sampleEvent(), sessionId: 1 }), '/sessionId'],
    [JSON.stringify({ ...sampleEvent(), ts: 1.5 }), '/ts'],
    [JSON.stringify({ ...sampleEvent(), ts: '1' }), '/ts'],
    [JSON.stringify({ ...sampleEvent(), partial: 0 }), '/partial'],
    [JSON.stringify({ ...sampleEvent(), v: 0 }), '/v'],
    [JSON.stringify({ ...sampleEvent(), status: null }), '/status'],
    [JSON.stringify({ ...sampleEvent(), content: { text: '' } }), '/content/kind'],
    [JSON.stringify({ ...sampleEvent(), content: [] }), '/content'],
    [JSON.stringify({ ...sampleEvent(), actions: [] }), '/actions'],
    [JSON.stringify({ ...sampleEvent(), refs: 'r' }), '/refs'],
    [JSON.stringify({ ...sampleEvent(), agentPath: [1] }), '/agentPath/0'],
    ['['.repeat(100_000), ''],
  ]
  for (const [json, path] of refusals) {
    test(`refuses ${json.slice(0, 20)}… for what is at "${path}"`, () => {
      assert.throws(
        () => decodeCanonicalRuntimeEvent(json),
        (error: unknown) => error instanceof InvalidEventError && error.path === path,
      )
    })
  }
})
