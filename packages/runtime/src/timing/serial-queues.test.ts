import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SerialQueues } from './serial-queues.ts'

describe('SerialQueues', () => {
  test('does what has one key in turn, whatever fails, and what has another beside it', async () => {
    const queues = new SerialQueues()
    const begun: string[] = []
    const held = Promise.withResolvers<string>()
    const first = queues.run('a', () => (begun.push('first'), held.promise))
    const failing = queues.run('a', async () => {
      begun.push('failing')
      throw new Error('no')
    })
    const last = queues.run('a', async () => begun.push('last'))
    await queues.run('b', async () => begun.push('beside'))
    assert.deepEqual(begun, ['first', 'beside'])
    held.resolve('done')
    await assert.rejects(failing, { message: 'no' })
    assert.deepEqual([await first, await last], ['done', 4])
    assert.deepEqual(begun, ['first', 'beside', 'failing', 'last'])
  })

  test('keeps nothing of what is over', async () => {
    const queues = new SerialQueues()
    await Promise.allSettled([queues.run('a', async () => {}), queues.run('b', () => Promise.reject(new Error('no')))])
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(queues.size, 0)
  })
})
