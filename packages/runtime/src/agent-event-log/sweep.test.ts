import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AGENT_EVENT_SWEEP_CLAIM_MS, type AgentEventStore, InvalidInputError } from '@daybook/core'
import { createMemoryAgentEventStore } from '@daybook/storage/agent-event-store'
import { ManualTimers } from '@daybook/testing'
import { finished, header, interrupted, started, text } from '../../test/agent-event-samples.ts'
import { takeAll } from '../../test/take.ts'
import { quiet, settlesSoon } from '../../test/until.ts'
import { AgentEventLog, setAgentEventLog, sweepInstalledAgentEvents } from '../agent-event-log.ts'

const [ttlMs, maxAgeMs] = [100, 1000]

/** A log with the runs `done0`, `done1`… finished at 0, 1…, and `open0`, `open1`… opened at the same times. */
async function logOf(done: number, open: number, store = createMemoryAgentEventStore()): Promise<AgentEventLog> {
  const log = new AgentEventLog(store)
  for (let index = 0; index < done; index++) {
    await log.open(header(`done${index}`))
    await log.record(`done${index}`, finished, index)
  }
  for (let index = 0; index < open; index++) await log.open(header(`open${index}`, { openedAt: index }))
  return log
}

async function left(store: AgentEventStore): Promise<string[]> {
  const pages = [true, false].map((finished) => store.listRuns({ finished, until: 1e15, limit: 1000 }))
  return (await Promise.all(pages)).flatMap(({ items }) => items.map(({ runId }) => runId))
}

describe('a sweep', () => {
  test('removes finished runs after their time, and open ones that are abandoned, by each its own age', async () => {
    const store = createMemoryAgentEventStore()
    const log = await logOf(3, 3, store)
    assert.deepEqual(await log.sweepRuns({ now: 101, ttlMs, maxAgeMs }), { removed: 2, failed: [], next: null })
    assert.deepEqual(await left(store), ['done2', 'open0', 'open1', 'open2'])
    assert.equal(await log.sweep(1001, ttlMs, maxAgeMs), 3)
    assert.deepEqual(await left(store), ['open2'])
    await log.record('open2', started, 1)
  })

  test('tells who follows an abandoned run how it ended, or that it was removed', async () => {
    const { watch, ...untold } = createMemoryAgentEventStore()
    assert.ok(watch)
    for (const store of [createMemoryAgentEventStore(), untold]) {
      const log = await logOf(1, 1, store)
      await log.record('open0', started, 1)
      const follow = log.subscribe('open0', 1)
      const rows = takeAll(follow)
      await quiet()
      await log.sweep(2000, ttlMs, maxAgeMs)
      assert.equal(await settlesSoon(rows), true)
      assert.ok((await rows).length <= 1)
      assert.ok(['terminal', 'removed'].includes((await follow.ended).end))
      assert.equal(log.listenerCount('open0'), 0)
    }
  })

  test('spares what is live, or waits for an answer, however old', async () => {
    const store = createMemoryAgentEventStore()
    const asked: string[] = []
    const log = new AgentEventLog(store, {
      isSpared: async (runId) => asked.push(runId) > 0 && runId === 'waiting',
      maxAgeMs,
    })
    for (const runId of ['waiting', 'abandoned']) {
      await log.open(header(runId, { openedAt: 1 }))
      await log.record(runId, interrupted, 1)
    }
    assert.equal(await log.sweep(5000), 1)
    assert.deepEqual([asked, await left(store)], [['abandoned', 'waiting'], ['waiting']])
    await log.record('waiting', finished, 5001)
  })

  test('goes on when a run cannot be removed, ended or asked about, and reports it', async () => {
    const inner = createMemoryAgentEventStore()
    const failure = (runId: string): Error => new Error(`not ${runId}`)
    const store: AgentEventStore = {
      ...inner,
      remove: async (runId) => {
        if (runId === 'done1') throw failure(runId)
        return inner.remove(runId)
      },
      append: async (runId, row) => {
        if (runId === 'open0') throw failure(runId)
        return inner.append(runId, row)
      },
    }
    await logOf(3, 3, inner)
    const warnings: string[] = []
    const log = new AgentEventLog(store, {
      isSpared: async (runId) => {
        if (runId === 'open1') throw failure(runId)
        return false
      },
      warn: (message) => void warnings.push(message),
    })
    const { removed, failed } = await log.sweepRuns({ now: 5000, ttlMs, maxAgeMs })
    assert.equal(removed, 3)
    assert.deepEqual(
      failed.map(({ error }) => (error as Error).message),
      ['not done1', 'not open0', 'not open1'],
    )
    assert.equal(await log.sweep(5000 + AGENT_EVENT_SWEEP_CLAIM_MS, ttlMs, maxAgeMs), 0)
    assert.equal(warnings.length, 3)
  })

  test('pages, ends at its limit or by its signal, and goes on from there', async () => {
    const inner = createMemoryAgentEventStore()
    const limits: (number | undefined)[] = []
    const log = await logOf(150, 120, {
      ...inner,
      listRuns: (query) => {
        limits.push(query.limit)
        return inner.listRuns(query)
      },
    })
    let removed = 0
    let calls = 0
    for (let after: Awaited<ReturnType<AgentEventLog['sweepRuns']>>['next'] | undefined; after !== null; calls++) {
      const report = await log.sweepRuns({ now: 5000, ttlMs, maxAgeMs, limit: 70, ...(after && { after }) })
      removed += report.removed
      after = report.next
    }
    assert.deepEqual([removed, calls, await left(inner)], [270, 4, []])
    assert.ok(limits.every((limit) => limit === 100))
    const aborted = await (await logOf(1, 1)).sweepRuns({ now: 5000, signal: AbortSignal.abort(), ttlMs, maxAgeMs })
    assert.deepEqual(aborted, { removed: 0, failed: [], next: { finished: true, at: null, runId: '' } })
  })

  test('removes each run once, however many sweep at once', async () => {
    const store = createMemoryAgentEventStore()
    await logOf(30, 30, store)
    const sweepers = Array.from({ length: 5 }, () => new AgentEventLog(store))
    const counts = await Promise.all(sweepers.map((log) => log.sweep(5000, ttlMs, maxAgeMs)))
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      60,
    )
    assert.deepEqual(await left(store), [])
  })

  test('leaves a run that was removed and opened again since it was listed', async () => {
    for (const again of [{ openedAt: 4999 }, { openedAt: 1 }, { openedAt: 1, finishedAt: 4999 }]) {
      const inner = createMemoryAgentEventStore()
      await logOf(1, 0, inner)
      const log = new AgentEventLog({
        ...inner,
        listRuns: async (query) => {
          const page = await inner.listRuns(query)
          if (query.finished && (await inner.remove('done0'))) await inner.writeHeader(header('done0', again))
          return query.finished ? page : { ...page, items: [] }
        },
      })
      assert.deepEqual(await log.sweepRuns({ now: 5000, ttlMs, maxAgeMs }), { removed: 0, failed: [], next: null })
      assert.deepEqual(await left(inner), ['done0'])
    }
  })

  test('leaves a run that ends while it is to be ended, for its own time', async () => {
    const inner = createMemoryAgentEventStore()
    const owner = await logOf(0, 1, inner)
    const log = new AgentEventLog({
      ...inner,
      readHeader: async (runId) => {
        const found = await inner.readHeader(runId)
        await owner.record(runId, finished, 5000).catch(() => {})
        return found
      },
    })
    assert.deepEqual(await log.sweepRuns({ now: 5000, ttlMs, maxAgeMs }), { removed: 0, failed: [], next: null })
    assert.equal((await owner.header('open0'))?.finishedAt, 5000)
  })

  test('is finished by another when a sweeper dies after its claim, once that has expired', async () => {
    const store = createMemoryAgentEventStore()
    const log = await logOf(1, 1, store)
    for (const runId of ['done0', 'open0']) await store.claim(runId, 5000)
    assert.equal(await log.sweep(5000 + AGENT_EVENT_SWEEP_CLAIM_MS - 1, ttlMs, maxAgeMs), 0)
    assert.equal(await log.sweep(5000 + AGENT_EVENT_SWEEP_CLAIM_MS, ttlMs, maxAgeMs), 2)
  })

  test('forgets what this process was to write to a run that it removes', async () => {
    const timers = new ManualTimers()
    const log = new AgentEventLog(createMemoryAgentEventStore(), { startTimer: timers.start })
    await log.open(header('r1', { openedAt: 1 }))
    await log.record('r1', text('lost'), 1)
    assert.equal(await log.sweep(5000, ttlMs, maxAgeMs), 1)
    assert.deepEqual(timers.waiting, [])
    await log.open(header('r1'))
    assert.equal(await log.append('r1', started, 1), 1)
  })

  test('refuses what is no time, age or limit', async () => {
    const log = await logOf(1, 0)
    await assert.rejects(log.sweep(Number.NaN), InvalidInputError)
    for (const wrong of [{ ttlMs: -1 }, { maxAgeMs: 0.5 }, { limit: 0 }])
      await assert.rejects(log.sweepRuns({ now: 5000, ...wrong }), InvalidInputError)
    // A timer that is set to more goes off at once.
    for (const everyMs of [0, 2 ** 31]) assert.throws(() => log.scheduleSweeps({ everyMs }), InvalidInputError)
    assert.throws(() => new AgentEventLog(createMemoryAgentEventStore(), { cap: -1 }), InvalidInputError)
  })
})

describe('a schedule of sweeps', () => {
  test('sweeps each time until all is seen, warns of what fails, and stops', async () => {
    const inner = createMemoryAgentEventStore()
    await logOf(1500, 0, inner)
    const timers = new ManualTimers()
    const warnings: string[] = []
    let fails = false
    const store: AgentEventStore = {
      ...inner,
      listRuns: async (query) => {
        if (fails) throw new Error('no list')
        return inner.listRuns(query)
      },
      remove: async (runId) => {
        if (runId === 'done7') throw new Error('no')
        return inner.remove(runId)
      },
    }
    const warn = (message: string): void => void warnings.push(message)
    const log = new AgentEventLog(store, { startTimer: timers.start, now: () => 1e9, warn })
    const stop = log.scheduleSweeps({ everyMs: 10 })
    timers.advance(9)
    await quiet()
    assert.equal((await left(inner)).length, 1000)
    timers.advance(1)
    await timers.untilWaiting()
    assert.deepEqual(await left(inner), ['done7'])
    fails = true
    timers.advance(10)
    await timers.untilWaiting()
    await stop()
    assert.deepEqual(warnings, [
      'the event log of run "done7" could not be removed',
      'the event logs to remove could not be listed',
    ])
    assert.deepEqual(timers.waiting, [])
  })
})

describe('the installed log', () => {
  test('is swept by the host, until it is taken away', async () => {
    const log = await logOf(1, 0)
    assert.equal(await sweepInstalledAgentEvents(1e12), 0)
    setAgentEventLog(log)
    assert.equal(await sweepInstalledAgentEvents(1e12), 1)
    setAgentEventLog(undefined)
    assert.equal(await sweepInstalledAgentEvents(1e12), 0)
  })
})
