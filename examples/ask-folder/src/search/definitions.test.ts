import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { definitionsOf } from './definitions.ts'

const linesOf = (lines: readonly string[], line: number, reach = 0): number[] =>
  definitionsOf(lines, { from: line - reach, line, to: line + reach }).map((one) => one.line)

describe('definitionsOf', () => {
  test('finds where a name of several parts gets its value, in any of the common languages', () => {
    for (const definition of [
      'LOCK_FOR = timedelta(minutes=45)',
      'LOCK_FOR: Final[int] = 45',
      'export const LOCK_FOR: number = 45',
      'LOCK_FOR := 45 * time.Minute',
      '  private static final int LOCK_FOR = 45;',
    ])
      assert.deepEqual(linesOf([definition, 'until = now() + LOCK_FOR'], 2), [1], definition)
  })

  test('finds none for plain words, comparisons and what stands in the lines itself', () => {
    assert.deepEqual(linesOf(['cost = 3', 'pay(cost)'], 2), [])
    assert.deepEqual(linesOf(['MAX_SIZE == size', 'check(MAX_SIZE)'], 2), [])
    assert.deepEqual(linesOf(['maxSize = 3', 'check(maxSize)', ''], 2, 1), [])
  })

  test('gives two at most, first of the names that stand nearest', () => {
    const lines = ['aB = 1', 'cD = 2', 'eF = 3', '', 'use(aB)', 'use(cD)', 'use(eF)']
    assert.deepEqual(
      definitionsOf(lines, { from: 5, line: 7, to: 7 }).map((one) => one.line),
      [3, 2],
    )
  })
})
