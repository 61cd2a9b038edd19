import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ended, ledgerOf, opened, text, type Fact } from '../../test/ledger-of.ts'
import { maxEventBytes } from '../runtime-event/encode.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
import { encodeEvents, stampTerminal } from './encoded-event.ts'

const eventsOf = (facts: readonly Fact[]): RuntimeEvent[] => ledgerOf(facts).map(({ event }) => event)

describe('encodeEvents', () => {
  test('gives each event its canonical text and a copy of its own', () => {
    const given = eventsOf([opened('i'), text('i', 'as given')])
    const [, encoded] = encodeEvents('i', given)
    ;(given[1]!.content as { text: string }).text = 'changed'
    assert.equal((encoded!.event.content as { text: string }).text, 'as given')
    assert.deepEqual(JSON.parse(encoded!.json), encoded!.event)
    assert.match(encoded!.json, /^\{"author":"agent","content":\{"kind":"text","text":"as given"\},"id":/)
  })

  test('refuses what no ledger takes, and says where', () => {
    const [terminal] = eventsOf([ended('i', 'completed')])
    const digest = '0'.repeat(64)
    const refused: [string, string, readonly RuntimeEvent[]][] = [
      ['INVALID_INPUT', 'events', []],
      ['INVALID_EVENT', '/invocationId', eventsOf([text('other', 'x')])],
      ['INVALID_EVENT', '', eventsOf([ended('i', 'completed'), text('i', 'x')])],
      ['INVALID_EVENT', '/actions/ledgerDigest', [{ ...terminal!, actions: { ledgerDigest: digest } }]],
      ['INVALID_EVENT', '/role', [{ ...terminal!, role: 'nobody' as 'user' }]],
      ['NOT_CANONICAL', '/content/text', eventsOf([text('i', '\ud800')])],
    ]
    for (const [code, place, events] of refused) {
      assert.throws(
        () => encodeEvents('i', events),
        (error: { code: string; path?: string; field?: string }) =>
          error.code === code && (error.path ?? error.field) === place,
        `${code} ${place}`,
      )
    }
  })

  test('counts the stamp that a terminal event will carry', () => {
    const withText = (length: number): RuntimeEvent[] => {
      const [event] = eventsOf([ended('i', 'failed')])
      return [{ ...event!, content: { kind: 'error', message: 'x'.repeat(length) } }]
    }
    const stamped = stampTerminal(encodeEvents('i', withText(0))[0]!, 'a'.repeat(64)).json
    const room = maxEventBytes - stamped.length
    const [largest] = encodeEvents('i', withText(room))
    assert.equal(stampTerminal(largest!, 'b'.repeat(64)).json.length, maxEventBytes)
    assert.throws(() => encodeEvents('i', withText(room + 1)), { code: 'PAYLOAD_TOO_LARGE', bytes: maxEventBytes + 1 })
  })
})
