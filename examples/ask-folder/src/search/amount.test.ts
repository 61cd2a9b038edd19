import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { holdsAmount } from './amount.ts'

describe('holdsAmount', () => {
  test('finds numbers and repetitions, in digits and in words', () => {
    for (const text of [
      '24 boats',
      'maxBoats = 24',
      '"boats": 3,',
      'ninety boats',
      '1,136',
      'EUR 7.50',
      'boat 3x',
      '| 6 |',
      'each week',
      'Once',
    ])
      assert.ok(holdsAmount(text), text)
  })

  test('takes no date, time, version, address, process, item number or part of a name for an amount', () => {
    for (const text of [
      '12 March 2026, boats',
      '2026-03-12T10:42:13.504Z boats',
      '10:42 boats',
      'boats 2.0.9',
      'from 192.0.2.7',
      'boatd[640]: boats',
      '1. The boats',
      'boat-2, boat3 and the 2nd boat',
      'boats',
      '',
    ])
      assert.ok(!holdsAmount(text), text)
  })

  test('takes long lines in time', () => {
    for (const part of ['1', '1.', '1:', '[1', 'a']) holdsAmount(part.repeat(1_000_000))
  })
})
