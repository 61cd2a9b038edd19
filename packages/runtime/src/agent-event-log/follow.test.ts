import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import { type AgentEventStore, InvalidInputError } from '@daybook/core'
import { createMemoryAgentEventStore, createSqliteAgentEventStore } from '@daybook/storage/agent-event-store'
import { ManualTimers } from '@daybook/testing'
import { finished, header, interrupted, step, text } from '../../test/agent-event-samples.ts'
import { temporaryFolder } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { quiet, settlesSoon, until } from '../../test/until.ts'
import { AGENT_EVENTS_GAP, AgentEventLog, type AgentEventSubscription } from '../agent-event-log.ts'

interface Opened {
  readonly log: AgentEventLog
  readonly store: AgentEventStore
  readonly timers: ManualTimers
}

/** A log of the run `r1` with so many steps; by default over a store that tells of changes. */
async function openLog(steps: number = 0, store = createMemoryAgentEventStore()): Promise<Opened> {
  const timers = new ManualTimers()
  const log = new AgentEventLog(store, { startTimer: timers.start, now: () => 5 })
  await log.open(header())
  for (let index = 1; index <= steps; index++) await log.record('r1', step(`${index}`), 1)
  return { log, store, timers }
}

function untold(store: AgentEventStore): AgentEventStore {
  const { watch, ...untold } = store
  assert.ok(watch)
  return untold
}

async function seqsOf(subscription: AgentEventSubscription): Promise<number[]> {
  const seqs: number[] = []
  for await (const { seq } of subscription) seqs.push(seq)
  return seqs
}

const upTo = (last: number, first: number = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a follow', () => {
  test('replays in pages what is there, then waits for more, to the terminal row', async () => {
    const { log, timers } = await openLog(300)
    const follow = log.subscribe('r1', 0)
    const seqs = seqsOf(follow)
    await quiet()
    await log.record('r1', step('more'), 1)
    await log.record('r1', finished, 1)
    assert.deepEqual(await seqs, upTo(302))
    assert.deepEqual(await follow.ended, { end: 'terminal', lastSeq: 302 })
    assert.deepEqual([log.listenerCount('r1'), timers.waiting], [0, []])
  })

  test('goes on after any seq, also the last one, and after the end', async () => {
    const { log } = await openLog(3)
    await log.record('r1', finished, 1)
    for (const after of [0, 1, 2, 3, 4]) {
      const follow = log.subscribe('r1', after)
      assert.deepEqual(await seqsOf(follow), upTo(4, after + 1))
      assert.deepEqual(await follow.ended, { end: 'terminal', lastSeq: 4 })
    }
  })

  test('works from the acceptance of the run on, before its first row', async () => {
    const { log } = await openLog()
    const seqs = seqsOf(log.subscribe('r1', 0))
    assert.equal(await settlesSoon(seqs), false)
    await log.record('r1', finished, 1)
    assert.deepEqual(await seqs, [1])
  })

  test('misses nothing that is stored between its replay and its waiting, nor while it reads', async () => {
    const inner = createMemoryAgentEventStore()
    const { log } = await openLog(1, inner)
    let steps = 0
    const store: AgentEventStore = {
      ...inner,
      async readPage(runId, query) {
        const page = await inner.readPage(runId, query)
        if (steps++ < 20) await log.record('r1', steps === 20 ? finished : step('between'), 1)
        return page
      },
      async readState(runId) {
        const state = await inner.readState(runId)
        if (steps++ < 19) await log.record('r1', step('after'), 1)
        return state
      },
    }
    const follow = new AgentEventLog(store).subscribe('r1', 0)
    const seqs = await seqsOf(follow)
    assert.deepEqual(seqs, upTo(seqs.length))
    assert.equal((await follow.ended).end, 'terminal')
  })

  test('sees what another process writes where the store tells of it, which it is asked to do once for all', async () => {
    const inner = createMemoryAgentEventStore()
    let watches = 0
    const { log, store } = await openLog(1, {
      ...inner,
      watch(runId, listener) {
        watches++
        const unwatch = inner.watch!(runId, listener)
        return () => {
          watches--
          unwatch()
        }
      },
    })
    const all = [0, 1, 0].map((after) => seqsOf(log.subscribe('r1', after)))
    await quiet()
    assert.equal(watches, 1)
    await new AgentEventLog(store).record('r1', finished, 1)
    assert.deepEqual(await Promise.all(all), [[1, 2], [2], [1, 2]])
    assert.equal(watches, 0)
  })

  test('is told of what another process writes also after all who followed before have left', async () => {
    const { log, store } = await openLog(1)
    await log.subscribe('r1', 0).return()
    const seqs = seqsOf(log.subscribe('r1', 0))
    await quiet()
    await new AgentEventLog(store).record('r1', finished, 1)
    assert.deepEqual(await seqs, [1, 2])
  })

  test('looks less and less often where the store does not tell, and soon again when rows come', async () => {
    const { log, store, timers } = await openLog(0, untold(createMemoryAgentEventStore()))
    const other = new AgentEventLog(store)
    const follow = log.subscribe('r1', 0)
    const first = follow.next()
    await quiet()
    const waits: (number | undefined)[] = []
    for (let i = 0; i < 8; i++) {
      waits.push(timers.waiting[0])
      timers.advance(timers.waiting[0]!)
      await quiet()
    }
    assert.deepEqual(waits, [50, 100, 200, 400, 800, 1600, 2000, 2000])
    await other.record('r1', step('a'), 1)
    timers.advance(2000)
    assert.equal((await first).value?.seq, 1)
    assert.deepEqual(timers.waiting, [50])
    await other.record('r1', finished, 1)
    const second = follow.next()
    timers.advance(50)
    assert.equal((await second).value?.seq, 2)
    assert.deepEqual([timers.waiting, log.listenerCount('r1')], [[], 0])
  })

  test('sees at once what its own process writes, whatever the store tells', async () => {
    const { log } = await openLog(1, untold(createMemoryAgentEventStore()))
    const seqs = seqsOf(log.subscribe('r1', 0))
    await quiet()
    await log.record('r1', finished, 1)
    assert.deepEqual(await seqs, [1, 2])
  })

  test('reads for a slow reader one page and no more', async () => {
    const inner = createMemoryAgentEventStore()
    let rowsRead = 0
    const { log } = await openLog(1000, {
      ...inner,
      readPage: async (...query) => {
        const page = await inner.readPage(...query)
        rowsRead += page.items.length
        return page
      },
    })
    const follow = log.subscribe('r1', 0)
    await follow.next()
    await log.record('r1', step('more'), 1)
    await quiet()
    assert.ok(rowsRead <= 128)
    await follow.return()
  })

  test('shares what it reads with all who are at the same place', async () => {
    const inner = createMemoryAgentEventStore()
    let reads = 0
    const { log, timers } = await openLog(10, { ...inner, readPage: (...query) => (reads++, inner.readPage(...query)) })
    const follows = Array.from({ length: 100 }, () => log.subscribe('r1', 0))
    const all = follows.map(seqsOf)
    await quiet()
    assert.equal(timers.waiting.length, 1)
    await log.record('r1', finished, 1)
    for (const seqs of await Promise.all(all)) assert.deepEqual(seqs, upTo(11))
    assert.ok(reads < 10, `${reads} reads`)
  })

  test('that joins does not take what was read before a row was stored for what is there now', async () => {
    const inner = createMemoryAgentEventStore()
    const late = Promise.withResolvers<void>()
    let isFollowed = false
    const { log } = await openLog(0, {
      ...inner,
      async readState(runId) {
        const state = await inner.readState(runId)
        if (isFollowed) await late.promise
        return state
      },
    })
    isFollowed = true
    const first = log.subscribe('r1', 0).next()
    await quiet()
    isFollowed = false
    await log.record('r1', finished, 1)
    const second = log.subscribe('r1', 0).next()
    late.resolve()
    assert.equal(await settlesSoon(Promise.all([first, second])), true)
    assert.equal((await second).value?.seq, 1)
  })

  test('misses nothing that is stored while two read, one of whom joins what the other began to read before', async () => {
    const inner = createMemoryAgentEventStore()
    const reads: PromiseWithResolvers<void>[] = []
    const { log: writer } = await openLog(1, inner)
    const { log, timers } = await openLog(0, {
      ...untold(inner),
      async readState(runId) {
        const read = Promise.withResolvers<void>()
        if (reads.push(read) <= 2) await read.promise
        return inner.readState(runId)
      },
    })
    const follows = [log.subscribe('r1', 0), log.subscribe('r1', 0)] as const
    for (const follow of follows) await follow.next()
    const first = follows[0].next()
    await until(() => reads.length === 1)
    timers.advance(50)
    const second = follows[1].next()
    await until(() => reads.length === 2)
    await writer.record('r1', step('stored meanwhile'), 1)
    for (const { resolve } of reads) {
      resolve()
      await quiet()
    }
    for (const next of [first, second])
      assert.deepEqual((await next).value, { seq: 2, event: step('stored meanwhile') })
  })
})

describe('a follow ends', () => {
  test('as waiting on an interrupt with which its log was finished, and only then', async () => {
    const { log } = await openLog()
    const follow = log.subscribe('r1', 0)
    const seqs = seqsOf(follow)
    await log.record('r1', interrupted, 1)
    assert.equal(await settlesSoon(seqs), false)
    await log.record('r1', interrupted, 1, { isLast: true })
    assert.deepEqual([await seqs, await follow.ended], [[1, 2], { end: 'waiting', lastSeq: 2 }])
    const later = log.subscribe('r1', 2)
    assert.deepEqual([await seqsOf(later), await later.ended], [[], { end: 'waiting', lastSeq: 2 }])
  })

  test('as terminal where the log was finished without a row that says so', async () => {
    const { log, store } = await openLog()
    await store.writeHeader(header('r2', { finishedAt: 1 }))
    const empty = log.subscribe('r2', 0)
    assert.deepEqual([await seqsOf(empty), await empty.ended], [[], { end: 'terminal', lastSeq: 0 }])
  })

  test('as removed when its log is, before and after it has read it, and when another one stands in its place', async () => {
    const { log, store } = await openLog(3)
    const follows = [log.subscribe('r1', 0), log.subscribe('r1', 1)]
    const all = follows.map(seqsOf)
    await quiet()
    await store.remove('r1')
    assert.deepEqual(await Promise.all(all), [
      [1, 2, 3],
      [2, 3],
    ])
    for (const follow of follows) assert.deepEqual(await follow.ended, { end: 'removed', lastSeq: 3 })
    await log.open(header())
    for (const name of ['a', 'b']) await log.record('r1', step(name), 1)
    const slow = log.subscribe('r1', 0)
    await slow.next()
    await slow.next()
    await store.remove('r1')
    await log.open(header())
    assert.deepEqual([await seqsOf(slow), await slow.ended], [[], { end: 'removed', lastSeq: 2 }])
  })

  test('as removed when another log of the run stands in its place, however many rows that has', async () => {
    let now = 1
    for (const store of [createMemoryAgentEventStore(), untold(createMemoryAgentEventStore())]) {
      const timers = new ManualTimers()
      const log = new AgentEventLog(store, { startTimer: timers.start, now: () => now++ })
      await log.open(header())
      await log.record('r1', step('a'), 1)
      const follows = [log.subscribe('r1', 0), log.subscribe('r1', 0), log.subscribe('r1', 1)] as const
      await follows[0].next()
      await follows[1].next()
      const waiting = [follows[1].next(), follows[2].next()]
      await quiet()
      // Nobody reads before the other log is there.
      const [removed, opened] = [store.remove('r1'), log.open(header())]
      await Promise.all([removed, opened])
      for (const name of ['b', 'c', 'd']) await new AgentEventLog(store).record('r1', step(name), 1)
      await log.record('r1', step('e'), 1)
      for (const next of [follows[0].next(), ...waiting]) assert.equal((await next).done, true)
      for (const follow of follows) assert.deepEqual(await follow.ended, { end: 'removed', lastSeq: 1 })
      assert.deepEqual(await takeAll(log.subscribe('r1', 0, AbortSignal.abort())), [])
      const anew = log.subscribe('r1', 0)
      assert.deepEqual((await anew.next()).value?.event, step('b'))
      await anew.return()
    }
  })

  test('at once where there is no log', async () => {
    const { log, timers } = await openLog()
    const follow = log.subscribe('other', 7)
    assert.deepEqual([await seqsOf(follow), await follow.ended], [[], { end: 'unknown_run', lastSeq: 7 }])
    assert.deepEqual([log.listenerCount('other'), timers.waiting], [0, []])
  })

  test('as aborted by its signal, before, while and after it waits, and leaves no listener', async () => {
    const { log, timers } = await openLog(1)
    for (const moment of ['before', 'waiting', 'unread', 'returned'] as const) {
      const aborting = new AbortController()
      if (moment === 'before') aborting.abort()
      const follow = log.subscribe('r1', 0, aborting.signal)
      if (moment !== 'before') await follow.next()
      const next = moment === 'waiting' ? follow.next() : undefined
      await quiet()
      if (moment === 'returned') await follow.return()
      else aborting.abort()
      assert.equal(getEventListeners(aborting.signal, 'abort').length, 0)
      assert.deepEqual(await follow.ended, { end: 'aborted', lastSeq: moment === 'before' ? 0 : 1 })
      assert.deepEqual(await (next ?? follow.next()), { done: true, value: undefined })
      assert.deepEqual([log.listenerCount('r1'), timers.waiting], [0, []])
    }
  })

  test('by return, whatever its reader waits for: a row, or a store that does not answer', async () => {
    const { log } = await openLog(1)
    const silent = new AgentEventLog({ ...createMemoryAgentEventStore(), readPage: () => new Promise(() => {}) })
    for (const [from, after] of [
      [log, 1],
      [silent, 0],
    ] as const) {
      const follow = from.subscribe('r1', after)
      const nexts = [follow.next(), follow.next()]
      await quiet()
      assert.equal(from.listenerCount('r1'), 1)
      assert.deepEqual(await follow.return(), { done: true, value: undefined })
      assert.deepEqual(await Promise.all(nexts), [
        { done: true, value: undefined },
        { done: true, value: undefined },
      ])
      assert.equal((await follow.ended).end, 'aborted')
      assert.equal(from.listenerCount('r1'), 0)
      await follow.return()
    }
  })

  test('when the log is closed', async () => {
    const { log, timers } = await openLog(1)
    const follow = log.subscribe('r1', 1)
    const next = follow.next()
    await quiet()
    await log.close()
    assert.deepEqual([(await next).done, (await follow.ended).end, timers.waiting], [true, 'aborted', []])
  })

  test('for a reader that fetches the next row before it handles the terminal one', async () => {
    const { log } = await openLog(1)
    await log.record('r1', finished, 1)
    const follow = log.subscribe('r1', 0)
    const rows = [follow.next(), follow.next(), follow.next()]
    assert.deepEqual(
      (await Promise.all(rows)).map(({ value }) => value?.seq),
      [1, 2, undefined],
    )
    assert.equal(await settlesSoon(follow.return()), true)
  })
})

describe('a signal', () => {
  test('that is none, or half of one, is refused, and nobody listens then', async () => {
    const { log, timers } = await openLog(1)
    const addEventListener = (): void => {}
    for (const signal of [null, 5, {}, { aborted: true }, { aborted: true, addEventListener }])
      assert.throws(() => log.subscribe('r1', 0, signal as unknown as AbortSignal), { field: 'signal' })
    assert.deepEqual([log.listenerCount('r1'), timers.waiting], [0, []])
  })
})

describe('a cursor', () => {
  test('that is negative, a fraction or no number is refused at once', async () => {
    const { log } = await openLog(1)
    for (const after of [-1, 0.5, Number.NaN, Infinity, '1' as unknown as number])
      assert.throws(() => log.subscribe('r1', after), InvalidInputError)
    assert.equal(log.listenerCount('r1'), 0)
  })

  test('above the last row is refused when it is read', async () => {
    const { log, timers } = await openLog(2)
    const follow = log.subscribe('r1', 3)
    await assert.rejects(follow.next(), InvalidInputError)
    assert.deepEqual(await follow.ended, { end: 'aborted', lastSeq: 3 })
    assert.deepEqual(await follow.next(), { done: true, value: undefined })
    assert.deepEqual([log.listenerCount('r1'), timers.waiting], [0, []])
  })

  test('below the rows that are left gets a marker of what is missing, also one that falls behind', async () => {
    const { log, store } = await openLog(300)
    const follow = log.subscribe('r1', 2)
    assert.equal((await follow.next()).value?.seq, 3)
    await store.trim('r1', 291)
    await log.record('r1', finished, 1)
    const gap = (from: number, to: number, reason: string) => ({
      seq: to,
      event: { type: 'CUSTOM', name: AGENT_EVENTS_GAP, value: { reason, from, to } },
    })
    const behind = await takeAll(follow)
    // Its page holds up to 130.
    assert.deepEqual(
      behind.slice(0, 127).map(({ seq }) => seq),
      upTo(130, 4),
    )
    assert.deepEqual(behind[127], gap(131, 290, 'trimmed'))
    assert.deepEqual(
      behind.slice(128).map(({ seq }) => seq),
      upTo(301, 291),
    )
    const all = await takeAll(log.subscribe('r1', 0))
    assert.deepEqual(all[0], gap(1, 290, 'trimmed'))
    assert.equal(all.length, 12)
    await store.trim('r1', 302)
    assert.deepEqual(await takeAll(log.subscribe('r1', 0)), [gap(1, 301, 'trimmed')])
  })

  test('before rows that a damaged store has lost gets a marker too, and the follow ends', async () => {
    const inner = createMemoryAgentEventStore()
    const { log } = await openLog(5, {
      ...inner,
      readPage: async (...query) => {
        const page = await inner.readPage(...query)
        return { ...page, items: page.items.filter(({ seq }) => seq !== 2 && seq < 5) }
      },
    })
    await log.record('r1', finished, 1)
    const follow = log.subscribe('r1', 0)
    const rows = (await takeAll(follow)).map(({ seq, event }) => event.value ?? seq)
    const missing = (from: number, to: number) => ({ reason: 'missing', from, to })
    assert.deepEqual(rows, [1, missing(2, 2), 3, 4, missing(5, 6)])
    assert.deepEqual(await follow.ended, { end: 'terminal', lastSeq: 6 })
  })
})

describe('a store that cannot be read', () => {
  test('because it is closed is told at once, to who waits and to who comes later', async (t) => {
    const { path, remove } = temporaryFolder()
    t.after(remove)
    for (const store of [createMemoryAgentEventStore(), createSqliteAgentEventStore(path, { durability: 'normal' })]) {
      const { log, timers } = await openLog(1, store)
      const [waiting, later] = [log.subscribe('r1', 1), log.subscribe('r1', 0)]
      const next = assert.rejects(waiting.next(), { code: 'STORAGE_CLOSED' })
      await quiet()
      store.close!()
      await next
      await assert.rejects(later.next(), { code: 'STORAGE_CLOSED' })
      for (const follow of [waiting, later]) assert.equal((await follow.ended).end, 'aborted')
      assert.deepEqual([log.listenerCount('r1'), timers.waiting], [0, []])
    }
  })

  test('is tried again, and the follow goes on as if nothing had been', async () => {
    const inner = createMemoryAgentEventStore()
    let failures = 3
    const { log, timers } = await openLog(2, {
      ...inner,
      readPage: async (...query) => {
        if (failures-- > 0) throw new Error('not now')
        return inner.readPage(...query)
      },
    })
    await log.record('r1', finished, 1)
    const seqs = seqsOf(log.subscribe('r1', 0))
    for (const pauseMs of [50, 100, 200]) {
      await until(() => timers.waiting.includes(pauseMs))
      timers.advance(pauseMs)
    }
    assert.deepEqual(await seqs, [1, 2, 3])
  })

  test('is given up after some seconds: next rejects, ended does not', async () => {
    const { log, timers } = await openLog(0, {
      ...createMemoryAgentEventStore(),
      readPage: async () => {
        throw new Error('never')
      },
    })
    const follow = log.subscribe('r1', 0)
    const next = follow.next()
    const rejected = assert.rejects(next, /never/)
    for (const pauseMs of [50, 100, 200, 400, 800]) {
      await until(() => timers.waiting.includes(pauseMs))
      timers.advance(pauseMs)
    }
    await rejected
    assert.deepEqual(await follow.ended, { end: 'aborted', lastSeq: 0 })
    assert.deepEqual([log.listenerCount('r1'), timers.waiting], [0, []])
  })
})

describe('a thousand followers', () => {
  test('join and leave a live run, and each sees what follows its place', async () => {
    const { log, timers } = await openLog(20)
    const seen: Promise<[after: number, seqs: number[]]>[] = []
    const left: Promise<unknown>[] = []
    for (let index = 0; index < 1000; index++) {
      const after = index % 20
      const leaving = new AbortController()
      const follow = log.subscribe('r1', after, leaving.signal)
      if (index % 3 === 0) {
        seen.push(seqsOf(follow).then((seqs) => [after, seqs]))
      } else {
        left.push(follow.next(), follow.ended)
        if (index % 3 === 1) queueMicrotask(() => leaving.abort())
        else void follow.return()
      }
      if (index % 50 === 0) await log.record('r1', text(`${index}`), 1)
      if (index % 50 === 1) await log.record('r1', step(`${index}`), 1)
      if (index === 499) await quiet()
    }
    const last = (await log.append('r1', finished, 1))!
    for (const [after, seqs] of await Promise.all(seen)) assert.deepEqual(seqs, upTo(last, after + 1))
    await Promise.all(left)
    assert.deepEqual([log.listenerCount('r1'), timers.waiting], [0, []])
  })
})
