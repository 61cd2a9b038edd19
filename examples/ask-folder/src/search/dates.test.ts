import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { datePattern, weekdayTest } from './dates.ts'

const finds = (word: string, text: string): boolean => new RegExp(datePattern(word) ?? '(?!)', 'iu').test(text)

describe('datePattern', () => {
  test('finds a day however it is written', () => {
    const texts = [
      '2026-03-02T10:00',
      'Mar  2 10:00',
      'March 2nd',
      'on 2 March',
      'the 2nd of March',
      '02 Mar 2026',
      '2. mar',
    ]
    for (const word of ['2 March', 'March 2', 'Mar 2nd', '2nd of march'])
      for (const text of texts) assert.ok(finds(word, text), `${word} in ${text}`)
  })

  test('finds no other day', () => {
    for (const text of ['2026-03-20', '2026-02-03', '2026-13-02', 'Mar 21', '12 March', 'March 2026', '103-02'])
      assert.ok(!finds('2 March', text), text)
  })

  test('finds a month of a year', () => {
    for (const text of ['2026-03-12', 'March 2026']) assert.ok(finds('March 2026', text), text)
    for (const text of ['2025-03-12', '2026-04-12', 'March 12']) assert.ok(!finds('March 2026', text), text)
  })

  test('takes nothing else for a date', () => {
    for (const word of ['march', '12', 'may', '12 boats', 'marching 3', ''])
      assert.equal(datePattern(word), undefined, word)
  })
})

describe('weekdayTest', () => {
  test('finds the name of a day of the week and dates on it', () => {
    const texts = ['on Mondays', 'Mon 2 Mar', 'Mon, Mar  2', '2026-03-02T10:00', '02.03.2026 10:00', '2.3.2026']
    for (const text of texts) assert.ok(weekdayTest('Monday')?.(text), text)
    for (const text of ['mon', 'Sunday', '2026-03-03', '2026-13-02x', '3.3.2026', '1.2.3', ''])
      assert.ok(!weekdayTest('Monday')?.(text), text)
    assert.ok(weekdayTest('sundays')?.('2026-03-01'))
  })

  test('takes no other word for a day of the week', () => {
    for (const word of ['mon', 'someday', '']) assert.equal(weekdayTest(word), undefined)
  })
})
