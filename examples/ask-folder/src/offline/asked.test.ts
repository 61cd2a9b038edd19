import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asksForAmount, neededShare } from './asked.ts'

const amounts = ['How many boats are there?', 'After how long is it due?', 'What does it cost?', 'Which number has it?']
const single = ['Who left?', 'Whose is it?', 'When did it leave?', 'And where is it?', 'At what time does it leave?']
const others = ['Why did it leave?', 'How do I see who left?', 'What happens when it leaves?', 'Which boat left?', '']

describe('asksForAmount', () => {
  test('tells questions for an amount from others', () => {
    for (const question of amounts) assert.ok(asksForAmount(question), question)
    for (const question of [...single, ...others]) assert.ok(!asksForAmount(question), question)
  })
})

describe('neededShare', () => {
  test('is higher where a person, a place, a time or an amount is asked for', () => {
    const high = new Set([...amounts, ...single].map(neededShare))
    const low = new Set(others.map(neededShare))
    assert.deepEqual([high.size, low.size], [1, 1])
    assert.ok(Math.min(...high) > Math.max(...low))
  })
})
