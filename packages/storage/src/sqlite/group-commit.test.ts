import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SessionNotFoundError, StorageFullError } from '@daybook/core'
import { GroupCommit, type Write } from './group-commit.ts'
import type { Operations } from './operations.ts'

/** Stands for a connection: `committed` is what its transactions wrote, in order. */
function connection({ busyFor = 0, failCommits = 0 } = {}) {
  const committed: string[][] = []
  const waits: number[] = []
  let writing: string[] = []
  let active = false
  const queue = new GroupCommit({
    begin(waitMs) {
      waits.push(waitMs)
      if (waits.length <= busyFor) throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' })
      assert.equal(active, false, 'one transaction at a time')
      active = true
      writing = []
      return {
        operations: {} as Operations,
        commit() {
          if (failCommits-- > 0) throw new StorageFullError()
          committed.push(writing)
          active = false
        },
        rollback() {
          active = false
        },
      }
    },
    translate: (error) => error,
  })
  const write =
    (name: string): Write<string> =>
    () =>
    () => {
      writing.push(name)
      return name
    }
  return { queue, committed, waits, write }
}

const refuse: Write<string> = () => {
  throw new SessionNotFoundError('s')
}
const failToWrite =
  (error: Error): Write<string> =>
  () =>
  () => {
    throw error
  }

async function settled(promises: readonly Promise<string>[]): Promise<string[]> {
  const all = await Promise.allSettled(promises)
  return all.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason.code ?? one.reason.message)))
}

describe('GroupCommit', () => {
  test('commits what is asked for in one turn together and in order', async () => {
    const { queue, committed, write } = connection()
    const names = ['a', 'b', 'c']
    assert.deepEqual(await settled(names.map((name) => queue.write(write(name), 0))), names)
    await queue.write(write('d'), 0)
    assert.deepEqual(committed, [names, ['d']])
  })

  test('settles nothing before the commit', async () => {
    const { queue, committed, write } = connection()
    let done = false
    const asked = Promise.allSettled([
      queue.write(refuse, 0).catch(() => (done = true)),
      queue.write(write('a'), 0).then(() => (done = true)),
    ])
    await Promise.resolve()
    assert.deepEqual([done, committed], [false, []])
    await asked
    assert.deepEqual([done, committed], [true, [['a']]])
  })

  test('lets a refusal spoil none beside it', async () => {
    const { queue, committed, write } = connection()
    const outcome = await settled([queue.write(write('a'), 0), queue.write(refuse, 0), queue.write(write('b'), 0)])
    assert.deepEqual(outcome, ['a', 'SESSION_NOT_FOUND', 'b'])
    assert.deepEqual(committed, [['a', 'b']])
  })

  test('runs the others again when one fails while it writes', async () => {
    const { queue, committed, write } = connection()
    const outcome = await settled([
      queue.write(write('a'), 0),
      queue.write(failToWrite(new Error('of its own')), 0),
      queue.write(write('b'), 0),
    ])
    assert.deepEqual(outcome, ['a', 'of its own', 'b'])
    assert.deepEqual(committed, [['a', 'b']])
  })

  test('runs the others again when SQLite fails while one reads, for it may have ended the transaction', async () => {
    const { queue, committed, write } = connection()
    const failToRead: Write<string> = () => {
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' })
    }
    const outcome = await settled([queue.write(write('a'), 0), queue.write(failToRead, 0), queue.write(write('b'), 0)])
    assert.deepEqual(outcome, ['a', 'SQLITE_IOERR_READ', 'b'])
    assert.deepEqual(committed, [['a', 'b']])
  })

  test('rejects all that ran when the storage fails while one writes, and goes on with the rest', async () => {
    const { queue, committed, write } = connection()
    const outcome = await settled([
      queue.write(write('a'), 0),
      queue.write(failToWrite(new StorageFullError()), 0),
      queue.write(write('b'), 0),
    ])
    assert.deepEqual(outcome, ['STORAGE_FULL', 'STORAGE_FULL', 'b'])
    assert.deepEqual(committed, [['b']])
  })

  test('rejects all of a transaction that does not commit', async () => {
    const { queue, committed, write } = connection({ failCommits: 1 })
    assert.deepEqual(await settled([queue.write(write('a'), 0), queue.write(refuse, 0), queue.write(write('b'), 0)]), [
      'STORAGE_FULL',
      'STORAGE_FULL',
      'STORAGE_FULL',
    ])
    assert.equal(await queue.write(write('c'), 0), 'c')
    assert.deepEqual(committed, [['c']])
  })

  test('comes again while another writer is at it', async () => {
    const { queue, committed, waits, write } = connection({ busyFor: 3 })
    assert.equal(await queue.write(write('a'), 60_000), 'a')
    assert.deepEqual([committed, waits.length], [[['a']], 4])
  })

  test('gives up what has waited as long as it may, and only that', async () => {
    const { queue, committed, write } = connection({ busyFor: 2 })
    const outcome = await settled([queue.write(write('a'), 0), queue.write(write('b'), 60_000)])
    assert.deepEqual(outcome, ['STORAGE_BUSY', 'b'])
    assert.deepEqual(committed, [['b']])
  })

  test('leaves to the next transaction what would hold up the event loop', async () => {
    const { queue, committed } = connection()
    const slow: Write<string> = () => () => {
      const until = performance.now() + 3
      while (performance.now() < until);
      return 'slow'
    }
    let turns = 0
    const counting = setInterval(() => (turns += 1))
    await settled(Array.from({ length: 20 }, () => queue.write(slow, 0)))
    clearInterval(counting)
    assert.ok(committed.length >= 5, `${committed.length} transactions`)
    assert.ok(turns >= 2, `${turns} turns of the event loop`)
  })

  test('flushes at once, and waits for another writer while it does', async () => {
    const { queue, committed, waits, write } = connection({ busyFor: 1 })
    const asked = [queue.write(write('a'), 7), queue.write(write('b'), 9)]
    queue.flush()
    assert.deepEqual(await settled(asked), ['a', 'b'])
    assert.deepEqual([committed, waits], [[['a', 'b']], [9, 9]])
    queue.flush()
    assert.equal(waits.length, 2)
  })
})
