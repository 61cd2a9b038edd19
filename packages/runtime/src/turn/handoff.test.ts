import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Handoff } from './handoff.ts'

/** True when the promise settles before a few turns of the microtask queue have passed. */
async function settlesSoon(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(
    () => (settled = true),
    () => (settled = true),
  )
  for (let i = 0; i < 10; i++) await Promise.resolve()
  return settled
}

describe('Handoff', () => {
  test('keeps the producer waiting until its item is taken', async () => {
    const handoff = new Handoff<string>()
    const given = handoff.give('a')
    assert.equal(await settlesSoon(given), false)
    assert.deepEqual(await handoff.next(), { done: false, value: 'a' })
    assert.equal(await settlesSoon(given), true)
  })

  test('gives an item at once to a consumer that already waits', async () => {
    const handoff = new Handoff<string>()
    const next = handoff.next()
    assert.equal(await settlesSoon(handoff.give('a')), true)
    assert.deepEqual(await next, { done: false, value: 'a' })
  })

  test('answers several waiting consumers in the order of their calls', async () => {
    const handoff = new Handoff<string>()
    const both = [handoff.next(), handoff.next()]
    await handoff.give('a')
    await handoff.give('b')
    assert.deepEqual(
      (await Promise.all(both)).map((result) => result.value),
      ['a', 'b'],
    )
  })

  test('queues what a released producer gives', async () => {
    const handoff = new Handoff<string>()
    const first = handoff.give('a')
    handoff.release()
    assert.equal(await settlesSoon(first), true)
    assert.equal(await settlesSoon(handoff.give('b')), true)
    handoff.end()
    assert.deepEqual(await handoff.next(), { done: false, value: 'a' })
    assert.deepEqual(await handoff.next(), { done: false, value: 'b' })
    assert.deepEqual(await handoff.next(), { done: true, value: undefined })
  })

  test('drops what is given after the consumer left', async () => {
    const handoff = new Handoff<string>()
    const first = handoff.give('a')
    handoff.leave()
    assert.equal(await settlesSoon(first), true)
    assert.equal(await settlesSoon(handoff.give('b')), true)
    assert.deepEqual(await handoff.next(), { done: true, value: undefined })
  })

  test('ends a waiting consumer', async () => {
    const handoff = new Handoff<string>()
    const next = handoff.next()
    handoff.end()
    assert.deepEqual(await next, { done: true, value: undefined })
  })

  test('rejects once with the failure, after what was queued, then is done', async () => {
    const handoff = new Handoff<string>()
    handoff.release()
    await handoff.give('a')
    handoff.end({ error: new Error('broken') })
    handoff.end({ error: new Error('second') })
    assert.deepEqual(await handoff.next(), { done: false, value: 'a' })
    await assert.rejects(handoff.next(), /broken/)
    assert.deepEqual(await handoff.next(), { done: true, value: undefined })
  })
})
