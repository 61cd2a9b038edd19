import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type CrashChild, type CrashChildOptions, CrashHarness, killAtRandom, seededRandom } from '@daybook/testing'

const harness = new CrashHarness()
after(() => harness.close())

function start(input: string | string[], options: CrashChildOptions = {}): CrashChild {
  return harness.start(new URL('crash-child.ts', import.meta.url), { input: [input].flat(), ...options })
}

describe('a child of the crash harness', () => {
  test('acknowledges and ends', async () => {
    const child = start('acknowledgesThree')
    await child.acknowledged(2)
    await child.finish()
    assert.deepEqual(child.acknowledgements, [1, { two: '2\n' }, null])
    await assert.rejects(child.acknowledged(4), /exit code 0/)
    await assert.rejects(child.kill(), /exit code 0/)
  })

  test('that fails is told with what it printed', async () => {
    const child = start('fails')
    for (const waited of [child.finish(), child.held(), child.acknowledged(1)]) {
      await assert.rejects(waited, /exit code 1\n[^]*so far so good[^]*boom/)
    }
  })

  test('is held at the named points, each time', async () => {
    const child = start('reachesPoints', { holdAt: ['a'] })
    assert.equal(await child.held(), 'a')
    assert.deepEqual(child.acknowledgements, [])
    child.goOn()
    assert.throws(() => child.goOn(), /not held/)
    assert.equal(await child.held(), 'a')
    assert.deepEqual(child.acknowledgements, ['after a', 'after b'])
    child.goOn()
    await child.finish()
    assert.equal(child.acknowledgements.length, 3)
  })

  test('is killed at a named point, and does nothing after it', async () => {
    const child = start('reachesPoints', { holdAt: ['b'] })
    await child.held()
    await child.kill()
    assert.deepEqual(child.acknowledgements, ['after a'])
  })

  test('is killed at random, and all that it acknowledged is there, once and in order', async () => {
    const random = seededRandom(7)
    for (let round = 0; round < 3; round++) {
      const child = start('acknowledgesForEver')
      await killAtRandom(child, random, { acknowledgements: 100, ms: 5 })
      const { length } = child.acknowledgements
      assert.deepEqual(
        child.acknowledgements,
        Array.from({ length }, (_, index) => index + 1),
      )
    }
  })

  test('does nothing while it is paused, and goes on afterwards', async () => {
    const child = start('reachesPoints', { holdAt: ['a'] })
    await child.held()
    await child.pause()
    child.goOn()
    await start('acknowledgesThree').finish()
    assert.deepEqual(child.acknowledgements, [])
    child.resume()
    await child.acknowledged(1)
    await child.pause()
    await child.kill()
  })

  test('is killed when it takes too long', async () => {
    await assert.rejects(start('hangs', { timeoutMs: 10 }).finish(), /killed after 10 ms/)
  })

  test('ends with the harness', async () => {
    const own = new CrashHarness()
    const child = own.start(new URL('crash-child.ts', import.meta.url), { input: ['hangs'] })
    await own.close()
    await own.close()
    await assert.rejects(child.held(), /SIGKILL/)
  })

  for (const modifiers of [[], ['paused']]) {
    test(`does not outlive a process that is killed ${modifiers.join()}`, async () => {
      const middle = start(['hasChild', ...modifiers])
      await middle.acknowledged(1)
      const pid = middle.acknowledgements[0] as number
      assert.ok(isAlive(pid))
      await middle.kill()
      while (isAlive(pid)) await setImmediate()
    })
  }
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !hasExited(pid)
}

/** It has ended, but its parent has not fetched its status, which in some containers never happens. */
function hasExited(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
