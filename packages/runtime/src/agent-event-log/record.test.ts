import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type AgentEvent,
  AgentEventDuplicateSeqError,
  AgentEventLogNotOpenError,
  AgentEventLogSealedError,
  AgentEventQueueFullError,
  type AgentEventStore,
  InvalidEventError,
  InvalidInputError,
  type NewAgentEventRow,
} from '@daybook/core'
import { createMemoryAgentEventStore } from '@daybook/storage/agent-event-store'
import { ManualTimers } from '@daybook/testing'
import {
  type Fault,
  faultyStore,
  finished,
  header,
  interrupted,
  started,
  step,
  text,
  textEnd,
  textStart,
} from '../../test/agent-event-samples.ts'
import { quiet } from '../../test/until.ts'
import { AGENT_EVENTS_GAP, AgentEventLog, type AgentEventLogOptions } from '../agent-event-log.ts'

interface Opened {
  readonly log: AgentEventLog
  readonly store: AgentEventStore
  readonly timers: ManualTimers
}

/** A log of the run `r1`, over a store in memory. */
async function openLog(options: AgentEventLogOptions = {}, store = createMemoryAgentEventStore()): Promise<Opened> {
  const timers = new ManualTimers()
  const log = new AgentEventLog(store, { startTimer: timers.start, now: () => 5, ...options })
  await log.open(header())
  return { log, store, timers }
}

/** The events of the run as a line each: the type, and what a delta or a marker says. */
async function linesOf(store: AgentEventStore, runId: string = 'r1'): Promise<string[]> {
  const { rows } = (await store.read(runId))!
  rows.forEach(({ seq }, index) => assert.equal(seq, index + 1))
  return rows.map(({ event }) => lineOf(event))
}

function lineOf({ type, delta, name, value, stepName, messageId }: AgentEvent): string {
  const more = delta ?? (name === AGENT_EVENTS_GAP ? value : (name ?? stepName ?? messageId))
  return more === undefined ? type : `${type} ${typeof more === 'string' ? more : JSON.stringify(more)}`
}

function faults(...list: Fault[]): () => Fault {
  return () => list.shift()
}

const gap = (dropped: number): string => `CUSTOM ${JSON.stringify({ reason: 'store_failed', dropped })}`

describe('open', () => {
  test('gives a log the time of the injected clock, and leaves one that exists as it is', async () => {
    const { log, store } = await openLog()
    assert.equal((await log.header('r1'))?.openedAt, 5)
    const later = new AgentEventLog(store, { now: () => 999 })
    await later.open(header('r1', { tenant: 'other', gates: ['open'], openedAt: 999 }))
    assert.deepEqual(await log.header('r1'), header('r1', { openedAt: 5 }))
  })

  test('of two at once keeps the log of the first', async () => {
    const store = createMemoryAgentEventStore()
    const logs = [new AgentEventLog(store), new AgentEventLog(store)]
    await Promise.all(logs.map((log, index) => log.open(header('r1', { tenant: `t${index}`, openedAt: 1 }))))
    assert.deepEqual(await store.readHeader('r1'), header('r1', { tenant: 't0', openedAt: 1 }))
  })
})

describe('record', () => {
  test('tells stored, buffered and dropped apart', async () => {
    const { log } = await openLog({ cap: 2 })
    assert.deepEqual(await log.record('r1', started, 1), { outcome: 'stored', seq: 1 })
    assert.deepEqual(await log.record('r1', text('a'), 1), { outcome: 'buffered' })
    assert.deepEqual(await log.record('r1', step('s'), 1), { outcome: 'stored', seq: 3 })
    assert.deepEqual(await log.record('r1', text('b'), 1), { outcome: 'buffered' })
    await log.flush('r1')
    assert.deepEqual(await log.record('r1', text('c'), 1), { outcome: 'dropped' })
  })

  test('refuses a log that was never opened, by name, for deltas too', async () => {
    const { log } = await openLog()
    for (const event of [started, text('a')]) {
      await assert.rejects(log.record('r2', event, 1), AgentEventLogNotOpenError)
      await assert.rejects(log.append('r2', event, 1), AgentEventLogNotOpenError)
    }
  })

  test('takes events into a log that another process opened', async () => {
    const { store } = await openLog()
    const other = new AgentEventLog(store)
    assert.equal(await other.append('r1', started, 1), 1)
  })

  test('refuses what is no event, no time and no id, and stores nothing of it', async () => {
    const { log, store } = await openLog()
    await assert.rejects(log.record('r1', { type: '' }, 1), InvalidEventError)
    await assert.rejects(log.record('r1', { type: 'CUSTOM', value: 1n as unknown as string }, 1), InvalidEventError)
    await assert.rejects(log.record('r1', { ...text('a'), metadata: 1n as unknown as string }, 1), InvalidEventError)
    for (const none of [null, undefined, [], 'text', { delta: 'x' }] as unknown as AgentEvent[]) {
      await assert.rejects(log.record('r1', none, 1), InvalidEventError)
      await assert.rejects(log.recordEach('r1', [none], 1), InvalidEventError)
      await assert.rejects(
        log.recordWith('r1', [none], 1, async () => {}),
        InvalidEventError,
      )
    }
    await assert.rejects(log.record('r1', started, 1.5), InvalidInputError)
    await assert.rejects(log.record('', started, 1), { code: 'INVALID_ID' })
    await log.flush('r1')
    assert.deepEqual(await linesOf(store), [])
  })

  test('refuses what is larger than a store takes, a delta for what it has besides its text alone', async () => {
    const { log, store } = await openLog()
    const tooLarge = { code: 'PAYLOAD_TOO_LARGE' }
    const much = 'y'.repeat(2 * 1_048_576)
    await assert.rejects(log.record('r1', step(much + much), 1), tooLarge)
    for (const delta of [text('x', much), { rawEvent: much, ...text('x') }, { ...text('x'), rawEvent: [much] }])
      await assert.rejects(log.record('r1', delta, 1), tooLarge)
    await log.record('r1', { ...text('\0'.repeat(262_144)), rawEvent: 'y'.repeat(2_000_000) }, 1)
    await log.flush('r1')
    assert.deepEqual(
      (await store.read('r1'))!.rows.map(({ event }) => (event.delta as string).length),
      [262_144],
    )
  })

  test('takes events as they are when it is called', async () => {
    const { log, store } = await openLog()
    const event = { type: 'STEP_STARTED', stepName: 'before' }
    const delta = { ...text('before'), metadata: { at: 'before' } }
    const recorded = [log.record('r1', delta, 1), log.record('r1', event, 1)]
    event.stepName = 'after'
    delta.metadata.at = 'after'
    await Promise.all(recorded)
    const { rows } = (await store.read('r1'))!
    assert.deepEqual(
      rows.map(({ event }) => event.stepName ?? event.metadata),
      [{ at: 'before' }, 'before'],
    )
  })

  test('keeps the order of calls that nobody waits for', async () => {
    const { log, store } = await openLog()
    const names = Array.from({ length: 50 }, (_, index) => `s${index}`)
    await Promise.all(names.flatMap((name) => [log.record('r1', step(name), 1), log.record('r1', text(name), 1)]))
    await log.flush('r1')
    const expected = names.flatMap((name) => [`STEP_STARTED ${name}`, `TEXT_MESSAGE_CONTENT ${name}`])
    assert.deepEqual(await linesOf(store), expected)
  })
})

describe('joining deltas', () => {
  test('stores interleaved streams as one row each', async () => {
    const { log, store } = await openLog()
    for (let i = 0; i < 20; i++) {
      await log.record('r1', text(`${i} `, 'a'), 1)
      await log.record('r1', { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: `${i}` }, 1)
    }
    await log.record('r1', textEnd('a'), 2)
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    assert.deepEqual(await linesOf(store), [
      `TEXT_MESSAGE_CONTENT ${numbers.map((n) => `${n} `).join('')}`,
      `TOOL_CALL_ARGS ${numbers.join('')}`,
      'TEXT_MESSAGE_END a',
    ])
  })

  test('ends by the timer, by the time of the events, and by length', async () => {
    const { log, store, timers } = await openLog()
    await log.record('r1', text('timer'), 1)
    timers.advance(99)
    await quiet()
    assert.deepEqual(await linesOf(store), [])
    timers.advance(1)
    await quiet()
    await log.record('r1', text('time'), 1)
    assert.deepEqual(await log.record('r1', text('!'), 101), { outcome: 'stored', seq: 2 })
    assert.deepEqual(await log.record('r1', text('x'.repeat(1024)), 101), { outcome: 'stored', seq: 3 })
    assert.deepEqual((await linesOf(store)).slice(0, 2), ['TEXT_MESSAGE_CONTENT timer', 'TEXT_MESSAGE_CONTENT time!'])
    assert.deepEqual(timers.waiting, [])
  })

  test('goes on by the timer when the time of the events goes back', async () => {
    const { log, store, timers } = await openLog()
    await log.record('r1', text('a'), 1000)
    await log.record('r1', text('b'), 1)
    timers.advance(100)
    await quiet()
    assert.deepEqual(await linesOf(store), ['TEXT_MESSAGE_CONTENT ab'])
  })

  test('does not split a character between two rows', async () => {
    const { log, store } = await openLog()
    await log.record('r1', text('\ud83d'), 1)
    await log.flush('r1')
    await log.record('r1', step('s'), 1)
    await log.record('r1', text('\ude00'), 1)
    await log.record('r1', finished, 1)
    assert.deepEqual(await linesOf(store), ['STEP_STARTED s', 'TEXT_MESSAGE_CONTENT 😀', 'RUN_FINISHED'])
  })

  test('lets deltas be joined while the store is slow, and keeps no more of them than the cap lets through', async () => {
    const inner = createMemoryAgentEventStore()
    const slow = Promise.withResolvers<void>()
    const { log } = await openLog(
      { capBytes: 100_000 },
      { ...inner, append: (...row) => slow.promise.then(() => inner.append(...row)) },
    )
    await log.record('r1', text('x'), 1)
    const outcomes = Array.from({ length: 500 }, () => log.record('r1', text('y'.repeat(1024)), 1))
    await quiet()
    slow.resolve()
    const kinds = (await Promise.all(outcomes)).map(({ outcome }) => outcome)
    assert.ok(kinds.filter((kind) => kind === 'dropped').length > 350)
    await log.flush('r1')
    assert.ok((await inner.maxSeq('r1')) < 10)
    assert.equal(await inner.truncated('r1'), true)
  })
})

describe('the cap', () => {
  test('counts rows of all writers', async () => {
    const { log, store } = await openLog({ cap: 4 })
    const other = new AgentEventLog(store, { cap: 4 })
    for (const name of ['a', 'b']) {
      await log.record('r1', step(name), 1)
      await other.record('r1', step(name), 1)
    }
    await log.record('r1', text('too much'), 1)
    await log.flush('r1')
    await other.record('r1', text('too much'), 1)
    await other.record('r1', textEnd(), 1)
    await log.record('r1', finished, 1)
    assert.deepEqual((await linesOf(store)).slice(4), [
      'CUSTOM oke.events.truncated',
      'TEXT_MESSAGE_END m',
      'RUN_FINISHED',
    ])
  })

  test('counts bytes', async () => {
    const { log, store } = await openLog({ capBytes: 400 })
    await log.record('r1', started, 1)
    for (let i = 0; i < 5; i++) {
      await log.record('r1', text('x'.repeat(100)), 1)
      await log.flush('r1')
    }
    await log.record('r1', finished, 1)
    const kinds = (await linesOf(store)).map((line) => line.split(' x')[0])
    assert.deepEqual(kinds, [
      'RUN_STARTED',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_CONTENT',
      'CUSTOM oke.events.truncated',
      'RUN_FINISHED',
    ])
  })

  test('leaves its marker also where what is no delta went beyond it', async () => {
    const { log, store } = await openLog({ capBytes: 20 })
    await log.record('r1', textStart(), 1)
    await log.record('r1', text('too much'), 1)
    await log.flush('r1')
    await log.record('r1', textEnd(), 1)
    const expected = ['TEXT_MESSAGE_START m', 'CUSTOM oke.events.truncated', 'TEXT_MESSAGE_END m']
    assert.deepEqual(await linesOf(store), expected)
  })
})

describe('the end of a run', () => {
  test('is one write: there is no moment at which the header says so and the row is not there', async () => {
    const inner = createMemoryAgentEventStore()
    const seen: unknown[] = []
    const { log } = await openLog(
      {},
      {
        ...inner,
        createHeader: async (given) => {
          seen.push(given.finishedAt)
          return inner.createHeader(given)
        },
        append: async (runId, row) => {
          seen.push([row.seq, row.finishedAt])
          await inner.append(runId, row)
        },
      },
    )
    await log.record('r1', started, 1)
    await log.record('r1', finished, 7)
    assert.deepEqual(seen, [undefined, [1, undefined], [2, 7]])
    assert.equal((await log.header('r1'))?.finishedAt, 7)
  })

  test('seals the log, here and for every other writer, also what waits to be joined', async () => {
    const { log, store } = await openLog()
    const other = new AgentEventLog(store)
    await other.record('r1', started, 1)
    await other.record('r1', text('late'), 1)
    await log.record('r1', finished, 1)
    for (const writer of [log, other]) {
      for (const event of [step('late'), finished, text('late')])
        await assert.rejects(writer.record('r1', event, 2), AgentEventLogSealedError)
    }
    assert.deepEqual(await linesOf(store), ['RUN_STARTED', 'RUN_FINISHED'])
  })

  test('is not an interrupt, unless it is said to be the last event', async () => {
    const { log } = await openLog()
    await log.record('r1', interrupted, 1)
    await log.record('r1', step('after'), 2)
    await log.record('r1', interrupted, 3, { isLast: true })
    assert.equal((await log.header('r1'))?.finishedAt, 3)
    await assert.rejects(log.record('r1', step('after'), 4), AgentEventLogSealedError)
  })

  test('after it nothing of the run is kept in memory, and of idle runs no more than is asked for', async () => {
    let reads = 0
    const inner = createMemoryAgentEventStore()
    const store = { ...inner, readState: (runId: string) => (reads++, inner.readState(runId)) }
    const { log, timers } = await openLog({ maxIdleRuns: 2 }, store)
    for (const runId of ['a', 'b', 'c', 'd']) {
      await log.open(header(runId))
      await log.record(runId, started, 1)
    }
    const before = reads
    await log.record('d', step('kept'), 1)
    await log.record('c', step('kept'), 1)
    assert.equal(reads, before)
    await log.record('a', step('forgotten'), 1)
    assert.equal(reads, before + 1)
    await log.record('a', finished, 1)
    await assert.rejects(log.record('a', step('forgotten'), 1), AgentEventLogSealedError)
    assert.equal(reads, before + 2)
    assert.deepEqual(timers.waiting, [])
  })
})

describe('writers that take turns', () => {
  test('a conflict is not a failure: what is recorded at once by three is all there', async () => {
    const { log, store } = await openLog()
    const writers = [log, new AgentEventLog(store), new AgentEventLog(store)]
    const outcomes = await Promise.all(
      writers.flatMap((writer, index) =>
        Array.from({ length: 30 }, (_, count) => writer.record('r1', step(`${index}:${count}`), 1)),
      ),
    )
    assert.ok(outcomes.every(({ outcome }) => outcome === 'stored'))
    const lines = await linesOf(store)
    assert.equal(new Set(lines).size, 90)
    for (const index of [0, 1, 2]) {
      const own = lines.filter((line) => line.startsWith(`STEP_STARTED ${index}:`))
      assert.deepEqual(
        own,
        Array.from({ length: 30 }, (_, count) => `STEP_STARTED ${index}:${count}`),
      )
    }
  })

  test('a run that was removed and opened again begins at 1', async () => {
    const { log, store } = await openLog()
    for (const name of ['a', 'b']) await log.record('r1', step(name), 1)
    await store.remove('r1')
    await assert.rejects(log.record('r1', step('c'), 1), AgentEventLogNotOpenError)
    await log.open(header())
    assert.equal(await log.append('r1', step('d'), 1), 1)
    const other = new AgentEventLog(store)
    for (const name of ['e', 'f']) await other.record('r1', step(name), 1)
    await store.remove('r1')
    await other.open(header())
    assert.equal(await log.append('r1', step('g'), 1), 1)
    assert.equal(await log.append('r1', step('h'), 1), 2)
  })

  test('a store that tells of conflicts where there are none is not asked for ever', async () => {
    const { log, store } = await openLog()
    const liar = new AgentEventLog({
      ...store,
      append: async (runId, { seq }) => {
        throw new AgentEventDuplicateSeqError(runId, seq)
      },
    })
    assert.equal((await liar.record('r1', started, 1)).outcome, 'lost')
    assert.equal(await log.append('r1', started, 1), 1)
  })
})

describe('a store that fails', () => {
  test('is asked once more, and leaves no hole', async () => {
    const inner = createMemoryAgentEventStore()
    const { log } = await openLog({}, faultyStore(inner, faults('fails', undefined, 'fails', 'fails')))
    assert.deepEqual(await log.record('r1', started, 1), { outcome: 'stored', seq: 1 })
    const { outcome, ...rest } = await log.record('r1', step('lost'), 1)
    assert.deepEqual([outcome, 'error' in rest && (rest.error as Error).message], ['lost', 'the store failed'])
    assert.equal(await log.append('r1', step('kept'), 1), 3)
    assert.deepEqual(await linesOf(inner), ['RUN_STARTED', gap(1), 'STEP_STARTED kept'])
  })

  test('is asked once more for each row, the marker too', async () => {
    const inner = createMemoryAgentEventStore()
    const store = faultyStore(inner, faults('fails', 'fails', 'fails', undefined, 'fails', undefined))
    const { log } = await openLog({}, store)
    await log.record('r1', step('lost'), 1)
    assert.deepEqual(await log.record('r1', step('kept'), 1), { outcome: 'stored', seq: 2 })
  })

  test('has kept a row when the reply to the last attempt is lost', async () => {
    const { log } = await openLog({}, faultyStore(createMemoryAgentEventStore(), faults('fails', 'reply lost')))
    assert.deepEqual(await log.record('r1', finished, 1), { outcome: 'stored', seq: 1 })
  })

  test('has each row once although replies are lost after the commit', async () => {
    const inner = createMemoryAgentEventStore()
    const { log } = await openLog(
      {},
      faultyStore(inner, (row) => (row.seq % 2 === 1 ? 'reply lost' : undefined)),
    )
    for (const name of ['a', 'b', 'c']) assert.equal((await log.record('r1', step(name), 1)).outcome, 'stored')
    await log.record('r1', finished, 1)
    assert.deepEqual(await linesOf(inner), ['STEP_STARTED a', 'STEP_STARTED b', 'STEP_STARTED c', 'RUN_FINISHED'])
  })

  test('takes back that a row was lost, when it turns out to be stored', async () => {
    const inner = createMemoryAgentEventStore()
    let isDown = false
    let isFirst = true
    const fault = (): Fault => {
      if (!isFirst) return undefined
      isFirst = false
      isDown = true
      return 'reply lost'
    }
    const { log } = await openLog(
      {},
      faultyStore(inner, fault, () => isDown),
    )
    assert.equal((await log.record('r1', textStart(), 1)).outcome, 'lost')
    assert.equal((await log.record('r1', textStart('x'), 1)).outcome, 'lost')
    const reached = new AgentEventLog(inner)
    assert.deepEqual(await linesOf(inner), ['TEXT_MESSAGE_START m'])
    await reached.record('r1', step('other'), 1)
    isDown = false
    await log.record('r1', textEnd(), 1)
    assert.deepEqual((await linesOf(inner)).slice(1), ['STEP_STARTED other', gap(1), 'TEXT_MESSAGE_END m'])
  })

  test('that cannot be reached loses what comes, and says later how much', async () => {
    const inner = createMemoryAgentEventStore()
    let isDown = false
    const { log } = await openLog(
      {},
      faultyStore(
        inner,
        () => (isDown ? 'fails' : undefined),
        () => isDown,
      ),
    )
    await log.record('r1', started, 1)
    isDown = true
    for (const name of ['a', 'b', 'c']) assert.equal((await log.record('r1', step(name), 1)).outcome, 'lost')
    isDown = false
    assert.deepEqual(await log.record('r1', step('d'), 1), { outcome: 'stored', seq: 3 })
    assert.deepEqual(await linesOf(inner), ['RUN_STARTED', gap(3), 'STEP_STARTED d'])
  })

  test('loses a span whose beginning it lost, and keeps its end when that alone is lost', async () => {
    const inner = createMemoryAgentEventStore()
    const lost = new Set(['TEXT_MESSAGE_START m'])
    const { log } = await openLog(
      {},
      faultyStore(inner, ({ event }) => (lost.has(lineOf(event)) ? 'fails' : undefined)),
    )
    await log.record('r1', started, 1)
    for (const event of [textStart(), text('x'), textEnd()]) await log.record('r1', event, 1)
    await log.record('r1', textStart('n'), 1)
    lost.add('TEXT_MESSAGE_END n')
    assert.equal((await log.record('r1', textEnd('n'), 1)).outcome, 'lost')
    lost.clear()
    await log.record('r1', finished, 1)
    const expected = ['RUN_STARTED', gap(3), 'TEXT_MESSAGE_START n', 'TEXT_MESSAGE_END n', 'RUN_FINISHED']
    assert.deepEqual(await linesOf(inner), expected)
  })

  test('is told what was lost by a process that records nothing more, once it works again', async () => {
    for (const end of ['flush', 'close'] as const) {
      const inner = createMemoryAgentEventStore()
      let isDown = false
      const warnings: string[] = []
      const { log } = await openLog(
        { warn: (message) => warnings.push(message) },
        faultyStore(inner, () => (isDown ? 'fails' : undefined)),
      )
      for (const event of [started, textStart()]) await log.record('r1', event, 1)
      isDown = true
      for (const event of [step('lost'), textEnd()]) await log.record('r1', event, 1)
      await log.flush('r1')
      isDown = false
      await (end === 'flush' ? log.flush('r1') : log.close())
      await new AgentEventLog(inner).record('r1', finished, 1)
      const told = ['RUN_STARTED', 'TEXT_MESSAGE_START m', gap(1), 'TEXT_MESSAGE_END m', 'RUN_FINISHED']
      assert.deepEqual([await linesOf(inner), warnings], [told, []])
      await log.flush('r1')
    }
  })

  test('has no marker from flush before the beginning of the run, and closing warns of what is not told', async () => {
    const inner = createMemoryAgentEventStore()
    const warnings: string[] = []
    const { log } = await openLog(
      { warn: (message) => warnings.push(message) },
      faultyStore(inner, faults('fails', 'fails')),
    )
    await log.record('r1', step('lost'), 1)
    await log.flush('r1')
    assert.deepEqual(await linesOf(inner), [])
    await log.close()
    assert.deepEqual(warnings, ['the event log of run "r1" does not say what was lost of it'])
  })

  test('gets nothing of a span behind the end that was made for its beginning, which was taken for lost', async () => {
    const inner = createMemoryAgentEventStore()
    let isDown = false
    const list: Fault[] = [undefined, 'reply lost']
    const fault = (): Fault => {
      const next = isDown ? 'fails' : list.shift()
      isDown ||= next === 'reply lost'
      return next
    }
    const { log } = await openLog(
      {},
      faultyStore(inner, fault, () => isDown),
    )
    await log.record('r1', started, 1)
    assert.equal((await log.record('r1', textStart(), 1)).outcome, 'lost')
    isDown = false
    for (const event of [step('a'), text('x'), textEnd(), finished]) await log.record('r1', event, 1)
    const begun = ['RUN_STARTED', 'TEXT_MESSAGE_START m', 'TEXT_MESSAGE_END m', 'STEP_STARTED a']
    assert.deepEqual(await linesOf(inner), [...begun, gap(2), 'RUN_FINISHED'])
  })

  test('gets the beginning of a run again, and no marker before it', async () => {
    const inner = createMemoryAgentEventStore()
    const { log } = await openLog({}, faultyStore(inner, faults('fails', 'fails', 'fails', 'fails')))
    assert.equal((await log.record('r1', started, 1)).outcome, 'lost')
    assert.equal((await log.record('r1', step('lost'), 1)).outcome, 'lost')
    await log.record('r1', step('kept'), 1)
    assert.deepEqual(await linesOf(inner), ['RUN_STARTED', gap(1), 'STEP_STARTED kept'])
  })

  test('can be given a lost end again', async () => {
    const inner = createMemoryAgentEventStore()
    const { log } = await openLog({}, faultyStore(inner, faults('fails', 'fails')))
    assert.equal((await log.record('r1', finished, 1)).outcome, 'lost')
    assert.equal((await log.header('r1'))?.finishedAt, undefined)
    assert.deepEqual(await log.record('r1', finished, 2), { outcome: 'stored', seq: 1 })
  })

  test('throws nothing from the timer', async () => {
    const { log, store, timers } = await openLog()
    await log.record('r1', text('a'), 1)
    await store.remove('r1')
    timers.advance(100)
    await quiet()
    await assert.rejects(log.record('r1', text('b'), 1), AgentEventLogNotOpenError)
    assert.deepEqual(timers.waiting, [])
    await log.open(header())
    await log.record('r1', step('c'), 1)
    assert.deepEqual(await linesOf(store), ['STEP_STARTED c'])
  })
})

describe('a queue that is full', () => {
  test('refuses more, tells so in the log, and always takes ends', async () => {
    const inner = createMemoryAgentEventStore()
    const go = Promise.withResolvers<void>()
    const { log } = await openLog(
      { maxQueued: 2 },
      { ...inner, append: (...row) => go.promise.then(() => inner.append(...row)) },
    )
    const events = [started, textStart(), step('x'), textStart('n'), text('n', 'n'), textEnd('n'), textEnd(), finished]
    const outcomes = events.map((event) => log.record('r1', event, 1))
    await quiet()
    go.resolve()
    const [, , third, , , , , last] = await Promise.all(outcomes)
    assert.ok(third?.outcome === 'lost' && third.error instanceof AgentEventQueueFullError)
    assert.equal(last?.outcome, 'stored')
    // The step, and all of the message whose beginning was refused.
    const expected = ['RUN_STARTED', 'TEXT_MESSAGE_START m', gap(4), 'TEXT_MESSAGE_END m', 'RUN_FINISHED']
    assert.deepEqual(await linesOf(inner), expected)
  })

  for (const [how, recordNext] of [
    ['by the timer', async (_, timers) => timers.advance(100)],
    ['with something else', (log, _, commit) => log.recordWith('r1', [textEnd()], 1, commit)],
    ['after that failed', (log) => log.recordEach('r1', [textEnd()], 1)],
  ] as readonly [
    string,
    (
      log: AgentEventLog,
      timers: ManualTimers,
      commit: (rows: readonly NewAgentEventRow[]) => Promise<void>,
    ) => Promise<unknown>,
  ][]) {
    test(`stores nothing of a span whose beginning it refused, also what is written ${how}`, async () => {
      const inner = createMemoryAgentEventStore()
      const go = Promise.withResolvers<void>()
      const { log, timers } = await openLog(
        { maxQueued: 1 },
        { ...inner, append: (...row) => go.promise.then(() => inner.append(...row)) },
      )
      const first = log.record('r1', started, 1)
      assert.equal((await log.record('r1', textStart(), 1)).outcome, 'lost')
      const delta = log.record('r1', text('x'), 1)
      go.resolve()
      await Promise.all([first, delta])
      await recordNext(log, timers, async (rows) => {
        for (const row of rows) await inner.append('r1', row)
      })
      await quiet()
      await log.record('r1', finished, 1)
      const [start, marker, end] = await linesOf(inner)
      assert.deepEqual([start, end], ['RUN_STARTED', 'RUN_FINISHED'])
      assert.ok([gap(2), gap(3)].includes(marker!), marker)
    })
  }

  test('is not filled by deltas that come before the store has said whether the log is there, nor is memory', async () => {
    const inner = createMemoryAgentEventStore()
    const go = Promise.withResolvers<void>()
    const { log } = await openLog(
      { maxQueued: 2, capBytes: 1000 },
      { ...inner, readState: (runId) => go.promise.then(() => inner.readState(runId)) },
    )
    const deltas = Array.from({ length: 2000 }, () => log.record('r1', text('x'), 1))
    const end = log.record('r1', step('s'), 1)
    go.resolve()
    const outcomes = (await Promise.all(deltas)).map(({ outcome }) => outcome)
    assert.deepEqual([outcomes[0], outcomes.at(-1)], ['buffered', 'dropped'])
    assert.equal((await end).outcome, 'stored')
    assert.deepEqual(await linesOf(inner), ['CUSTOM oke.events.truncated', 'STEP_STARTED s'])
  })
})

describe('recordWith', () => {
  const commitTo =
    (store: AgentEventStore, facts: string[], fact: string) =>
    async (rows: readonly { readonly seq: number; readonly event: AgentEvent }[]) => {
      for (const row of rows) await store.append('r1', row)
      facts.push(fact)
    }

  test('gives rows to whoever stores them with something else, what waits to be joined first', async () => {
    const { log, store } = await openLog()
    const facts: string[] = []
    await log.record('r1', text('before'), 1)
    const outcomes = await log.recordWith('r1', [step('a'), finished], 9, commitTo(store, facts, 'fact'))
    assert.deepEqual(outcomes, [
      { outcome: 'stored', seq: 2 },
      { outcome: 'stored', seq: 3 },
    ])
    assert.deepEqual(
      [facts, await linesOf(store)],
      [['fact'], ['TEXT_MESSAGE_CONTENT before', 'STEP_STARTED a', 'RUN_FINISHED']],
    )
    assert.equal((await log.header('r1'))?.finishedAt, 9)
    await assert.rejects(log.recordWith('r1', [step('b')], 9, commitTo(store, facts, 'late')), AgentEventLogSealedError)
    assert.deepEqual(facts, ['fact'])
  })

  test('finishes a log on an interrupt where that is said to be the last', async () => {
    const { log, store } = await openLog()
    const events = [interrupted, interrupted]
    await log.recordWith('r1', events, 7, commitTo(store, [], 'fact'), { isLast: true })
    assert.deepEqual([(await log.header('r1'))?.finishedAt, await store.maxSeq('r1')], [7, 2])
  })

  test('gives other rows when another writer was first', async () => {
    const { log, store } = await openLog()
    await log.record('r1', started, 1)
    await new AgentEventLog(store).record('r1', step('first'), 1)
    const facts: string[] = []
    await log.recordWith('r1', [step('second')], 1, commitTo(store, facts, 'fact'))
    assert.deepEqual(
      [facts, (await linesOf(store)).slice(1)],
      [['fact'], ['STEP_STARTED first', 'STEP_STARTED second']],
    )
  })

  test('loses nothing when the write fails, and stores once what was stored without a reply', async () => {
    for (const isStored of [false, true]) {
      const { log, store } = await openLog()
      await log.record('r1', text('before'), 1)
      const events = [step('a'), step('b')]
      const facts: string[] = []
      const commit = commitTo(store, facts, 'fact')
      const failing = log.recordWith('r1', events, 1, async (rows) => {
        if (isStored) await commit(rows)
        throw new Error('no reply')
      })
      await assert.rejects(failing, /no reply/)
      await log.recordWith('r1', events, 1, commit)
      assert.deepEqual(await linesOf(store), ['TEXT_MESSAGE_CONTENT before', 'STEP_STARTED a', 'STEP_STARTED b'])
    }
  })

  test('tells of what was lost before once, whether its writes fail or only seem to', async () => {
    for (const isStored of [false, true]) {
      const inner = createMemoryAgentEventStore()
      const { log } = await openLog({}, faultyStore(inner, faults('fails', 'fails')))
      await log.record('r1', step('lost'), 1)
      const failing = log.recordWith('r1', [step('a')], 1, async (rows) => {
        if (isStored) await commitTo(inner, [], 'fact')(rows)
        throw new Error('no reply')
      })
      await assert.rejects(failing, /no reply/)
      await log.record('r1', step('b'), 1)
      const stored = isStored ? ['STEP_STARTED a', 'STEP_STARTED b'] : ['STEP_STARTED b']
      assert.deepEqual(await linesOf(inner), [gap(1), ...stored])
    }
  })

  test('tells of what was lost before, and calls for nothing but the facts where the cap leaves out all rows', async () => {
    const inner = createMemoryAgentEventStore()
    const { log } = await openLog({ cap: 1 }, faultyStore(inner, faults('fails', 'fails')))
    await log.record('r1', step('lost'), 1)
    const facts: string[] = []
    await log.recordWith('r1', [step('a'), text('x')], 1, commitTo(inner, facts, 'one'))
    assert.deepEqual(await linesOf(inner), [gap(1), 'STEP_STARTED a', 'CUSTOM oke.events.truncated'])
    assert.deepEqual(await log.recordWith('r1', [text('y')], 1, commitTo(inner, facts, 'two')), [
      { outcome: 'dropped' },
    ])
    assert.deepEqual([facts, await inner.maxSeq('r1')], [['one', 'two'], 3])
  })
})

describe('close', () => {
  test('refuses by name what would begin something, and lets the rest be read', async () => {
    const { log, timers } = await openLog()
    await log.record('r1', started, 1)
    await log.close()
    const closed = { code: 'AGENT_EVENT_LOG_CLOSED' }
    for (const late of [
      () => log.open(header('r2')),
      () => log.record('r1', step('late'), 1),
      () => log.recordWith('r1', [step('late')], 1, async () => {}),
      () => log.recordEach('r1', [step('late')], 1),
      () => log.sweepRuns({ now: 1 }),
    ])
      await assert.rejects(late(), closed)
    assert.throws(() => log.subscribe('r1', 0), closed)
    assert.throws(() => log.scheduleSweeps(), closed)
    await log.flush('r1')
    await log.close()
    const left = [(await log.read('r1')).length, log.listenerCount('r1'), timers.waiting]
    assert.deepEqual(left, [1, 0, []])
  })

  test('stores what waits, halves of characters too, and leaves no timer', async () => {
    const { log, store, timers } = await openLog()
    await log.record('r1', text('bye \ud83d'), 1)
    log.scheduleSweeps()
    await log.close()
    assert.deepEqual([await linesOf(store), timers.waiting], [['TEXT_MESSAGE_CONTENT bye \ud83d'], []])
  })
})
