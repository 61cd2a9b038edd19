import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SessionRecord } from '@daybook/core'
import type { AgentBackend } from '@daybook/core/backend-types'
import { BackendCache } from './backend-cache.ts'
import { BackendRegistry } from './backend-registry.ts'

const session = (id: string): SessionRecord => ({ id, backendKind: 'test' }) as SessionRecord

function open(options: { maxIdle?: number; dispose?: () => Promise<void>; build?: () => Promise<void> } = {}) {
  const log: string[] = []
  const warnings: string[] = []
  const registry = new BackendRegistry()
  registry.register('test', async ({ sessionId }) => {
    await options.build?.()
    log.push(`build ${sessionId}`)
    return {
      kind: 'test',
      sessionId,
      async *send() {},
      stop: async () => undefined,
      respondToSandboxBoundary: async () => undefined,
      dispose: async () => {
        log.push(`dispose ${sessionId}`)
        await options.dispose?.()
      },
    } satisfies AgentBackend
  })
  const timers = new Set<() => void>()
  const cache = new BackendCache({
    registry,
    maxIdle: options.maxIdle ?? 10,
    graceMs: 5,
    startTimer: (callback) => {
      timers.add(callback)
      return () => timers.delete(callback)
    },
    warn: (message) => warnings.push(message),
  })
  return { cache, log, warnings, timers }
}

describe('BackendCache', () => {
  test('builds the backend of a session once', async () => {
    const { cache, log } = open()
    const first = await cache.lease(session('a'))
    first.release()
    const second = await cache.lease(session('a'))
    assert.equal(await second.building, await first.building)
    assert.deepEqual(log, ['build a'])
  })

  test('lets one turn at a time have a backend', async () => {
    const { cache } = open()
    const first = await cache.lease(session('a'))
    const order: string[] = []
    const others = ['second', 'third'].map(async (name) => {
      const lease = await cache.lease(session('a'))
      order.push(name)
      return lease
    })
    await cache.lease(session('b'))
    assert.deepEqual(order, [])
    first.release()
    ;(await others[0]!).release()
    await others[1]
    assert.deepEqual(order, ['second', 'third'])
  })

  test('builds anew after a discard', async () => {
    const { cache, log } = open()
    const first = await cache.lease(session('a'))
    first.discard()
    const second = await cache.lease(session('a'))
    assert.notEqual(await second.building, await first.building)
    assert.deepEqual(log.toSorted(), ['build a', 'build a', 'dispose a'])
  })

  test('builds anew after a factory that failed', async () => {
    let failures = 1
    const { cache, log } = open({
      build: async () => {
        if (failures-- > 0) throw new Error('no key')
      },
    })
    const first = await cache.lease(session('a'))
    const second = cache.lease(session('a'))
    await assert.rejects(first.building, /no key/)
    first.release()
    await (
      await second
    ).building
    assert.deepEqual(log, ['build a'])
  })

  test('disposes of the least recently used idle backends beyond the limit', async () => {
    const { cache, log } = open({ maxIdle: 2 })
    const busy = await cache.lease(session('busy'))
    for (const id of ['a', 'b', 'a', 'c']) (await cache.lease(session(id))).release()
    busy.release()
    await cache.close()
    assert.deepEqual(log.filter((line) => line.startsWith('dispose')).slice(0, 2), ['dispose b', 'dispose a'])
  })

  test('closes after the turns that have a backend let go, and only once', async () => {
    const { cache, log } = open()
    const lease = await cache.lease(session('a'))
    const closing = cache.close()
    assert.deepEqual(log, ['build a'])
    lease.release()
    await closing
    await cache.close()
    assert.deepEqual(log, ['build a', 'dispose a'])
  })

  test('waits for a slow dispose no longer than the grace, and says so', async () => {
    const { cache, warnings, timers } = open({ dispose: () => new Promise(() => {}) })
    ;(await cache.lease(session('a'))).release()
    const closing = cache.close()
    while (timers.size === 0) await Promise.resolve()
    for (const fire of timers) fire()
    await closing
    assert.match(warnings[0]!, /still disposing of itself after 5 ms/)
    assert.equal(timers.size, 0)
  })

  test('says that a dispose failed', async () => {
    const { cache, warnings } = open({ dispose: () => Promise.reject(new Error('no')) })
    ;(await cache.lease(session('a'))).release()
    await cache.remove('a')
    assert.match(warnings[0]!, /could not be disposed of/)
  })
})
