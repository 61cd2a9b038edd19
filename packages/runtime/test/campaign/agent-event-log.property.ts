/**
 * What the delivery log promises, held against random histories on every store: what is joined says the same, nothing
 * changes its place, writers that take turns or write at once lose nothing in silence, and whoever follows sees every row.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type AgentEvent, type AgentEventRow, agentRunEnd, agentStreamOf, isAgentDelta } from '@daybook/core'
import { AGENT_EVENTS_GAP, AgentEventLog } from '@daybook/runtime/agent-event-log'
import { agentEventProblems, ManualTimers } from '@daybook/testing'
import fc from 'fast-check'
import {
  type Fault,
  faultyStore,
  finished,
  header,
  started,
  step,
  text,
  textEnd,
  textStart,
} from '../agent-event-samples.ts'
import { agentEventStoreKinds } from '../agent-event-stores.ts'
import { takeAll } from '../take.ts'

const kinds = await agentEventStoreKinds()
after(async () => {
  for (const kind of kinds) await kind.dispose()
})

let runs = 0
const newRun = (): string => `run-${++runs}`

const piece = fc.constantFrom('', 'x', 'yes ', '\ud83d', '\ude00', '😀', 'z'.repeat(700))
const delta: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b'), piece).map(([id, said]) => text(said, id)),
  fc
    .tuple(fc.constantFrom('c', 'd'), piece)
    .map(([toolCallId, said]) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta: said })),
  piece.map((said) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId: 'a', delta: said })),
)
const whole: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.constantFrom('a', 'b').map(textEnd),
  fc.constantFrom('c', 'd').map((toolCallId) => ({ type: 'TOOL_CALL_END', toolCallId })),
  fc.constantFrom('one', 'two').map(step),
)
const event = fc.oneof({ weight: 4, arbitrary: delta }, { weight: 1, arbitrary: whole })
/** An event, that what waits is to be stored, or that so many ms pass. */
const action = fc.oneof({ weight: 8, arbitrary: event }, fc.constant('flush' as const), fc.constantFrom(1, 60, 100))

/** What begins, goes on and ends in a run, and within what. */
const spans: Record<string, { readonly events: readonly [object, object, object]; readonly within?: string }> = {
  text: { events: [textStart(''), text('x', ''), textEnd('')] },
  other: { events: [textStart(''), text('y', ''), textEnd('')] },
  tool: {
    events: [
      { type: 'TOOL_CALL_START', toolCallId: '', toolCallName: 'look' },
      { type: 'TOOL_CALL_ARGS', toolCallId: '', delta: '{}' },
      { type: 'TOOL_CALL_END', toolCallId: '' },
    ],
  },
  step: { events: [step(''), { type: 'CUSTOM', name: 'note', value: 1 }, { type: 'STEP_FINISHED', stepName: '' }] },
  reasoning: {
    events: [
      { type: 'REASONING_START', messageId: '' },
      { type: 'CUSTOM', name: 'note', value: 2 },
      { type: 'REASONING_END', messageId: '' },
    ],
  },
  agent: {
    events: [
      { type: 'SUBAGENT_STARTED', subagentRunId: '', name: 'helper' },
      { type: 'CUSTOM', name: 'note', value: 3, subagentRunId: '' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: '' },
    ],
  },
  inner: { events: [textStart(''), text('z', ''), textEnd('')], within: 'agent' },
}
const spanNames = Object.keys(spans)

for (const kind of kinds) {
  const check = <T>(property: fc.IAsyncProperty<T>): Promise<void> | void =>
    fc.assert(property, { numRuns: kind.histories })

  test(`${kind.name}: what is stored says what was recorded, in the same order`, async () => {
    const property = fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const timers = new ManualTimers()
      const [store, runId] = [kind.open(), newRun()]
      const log = new AgentEventLog(store, { startTimer: timers.start })
      await log.open(header(runId))
      const recorded: AgentEvent[] = []
      let now = 0
      for (const action of actions) {
        if (action === 'flush') await log.flush(runId)
        else if (typeof action === 'number') {
          now += action
          timers.advance(action)
        } else {
          recorded.push(action)
          await log.record(runId, action, now)
        }
      }
      recorded.push(finished)
      await log.record(runId, finished, now)
      const rows = await rowsOf(log, runId)
      assert.deepEqual(momentsOf(rows.map(({ event }) => event)), momentsOf(recorded))
      assert.deepEqual(timers.waiting, [])
    })
    await check(property)
  })

  test(`${kind.name}: writers in turns and at once store each row once, and who follows sees all rows after its place`, async () => {
    const turn = fc.record({
      writer: fc.nat(2),
      event: fc.oneof(
        fc.constantFrom('x', 'yes ', '😀', 'z'.repeat(700)).map((said) => text(said)),
        fc.string().map(step),
      ),
      isWaitedFor: fc.boolean(),
      follow: fc.option(fc.nat(30), { freq: 4 }),
    })
    const property = fc.asyncProperty(fc.array(turn, { maxLength: 40 }), async (turns) => {
      const runId = newRun()
      const writers = [0, 1, 2].map(() => new AgentEventLog(kind.open()))
      const own = writers.map(() => [] as AgentEvent[])
      await writers[0]!.open(header(runId))
      const outcomes: Promise<unknown>[] = []
      const follows: [from: number, rows: Promise<AgentEventRow[]>][] = []
      for (const { writer, event, isWaitedFor, follow } of turns) {
        // Each writer has a stream of its own.
        const recorded = { ...event, by: writer, ...('messageId' in event && { messageId: `${writer}` }) }
        own[writer]!.push(recorded)
        const outcome = writers[writer]!.record(runId, recorded, 1)
        outcomes.push(outcome)
        if (isWaitedFor) await outcome
        if (follow === null) continue
        const from = Math.min(follow, (await writers[writer]!.read(runId)).length)
        follows.push([from, takeAll(writers[(writer + 1) % 3]!.subscribe(runId, from))])
      }
      await Promise.all(outcomes)
      await Promise.all(writers.map((writer) => writer.flush(runId)))
      await writers[0]!.record(runId, finished, 1)
      const rows = await rowsOf(writers[0]!, runId)
      for (const [index, events] of own.entries()) {
        const stored = rows.map(({ event }) => event).filter(({ by }) => by === index)
        assert.deepEqual(momentsOf([...stored, finished]), momentsOf([...events, finished]))
      }
      for (const [from, seen] of follows) assert.deepEqual(await seen, rows.slice(from))
      for (const writer of writers) {
        assert.equal(writer.listenerCount(runId), 0)
        await writer.close()
      }
    })
    await check(property)
  })

  test(`${kind.name}: over a store that fails, every event is there once, in order, or counted by a marker`, async () => {
    const doing = fc.tuple(fc.constantFrom(...spanNames), fc.constantFrom('go on', 'end'))
    const fault = fc.constantFrom<Fault>('fails', 'reply lost', undefined)
    const faults = fc.oneof(
      fc.constant<Fault[]>(Array.from({ length: 200 }, (_, index) => (index % 3 === 2 ? 'fails' : undefined))),
      fc.array(fault, { maxLength: 60 }),
    )
    const property = fc.asyncProperty(fc.array(doing, { maxLength: 30 }), faults, async (doings, faults) => {
      const [runId, left] = [newRun(), [...faults]]
      const log = new AgentEventLog(faultyStore(kind.open(), () => left.shift()))
      await log.open(header(runId))
      const recorded = runOf(doings).map((event, timestamp) => ({ ...event, timestamp }))
      for (const event of recorded) {
        await log.record(runId, event, 1)
        await log.flush(runId)
      }
      for (let end; end !== 'stored';) end = (await log.record(runId, finished, 1)).outcome
      const rows = (await rowsOf(log, runId)).map(({ event }) => event)
      const numbers = rows.flatMap(({ timestamp }) => (timestamp === undefined ? [] : [timestamp as number]))
      assert.equal(new Set(numbers).size, numbers.length)
      const markers = rows.filter(({ name }) => name === AGENT_EVENTS_GAP)
      const dropped = markers.reduce((sum, { value }) => sum + (value as { dropped: number }).dropped, 0)
      assert.equal(dropped, recorded.length - numbers.length)
      assert.deepEqual(
        momentsWithoutEnds(rows),
        [...momentsWithoutEnds(rows)].sort((a, b) => a - b),
      )
      assert.deepEqual(await agentEventProblems(rows), [])
    })
    await check(property)
  })
}

async function rowsOf(log: AgentEventLog, runId: string): Promise<readonly AgentEventRow[]> {
  const rows = await log.read(runId)
  rows.forEach(({ seq }, index) => assert.equal(seq, index + 1))
  return rows
}

/** Each event that is no delta, with what every stream had said by then; half a character may come later. */
function momentsOf(events: readonly AgentEvent[]): unknown[] {
  const said = new Map<string, string>()
  const moments: unknown[] = []
  for (const event of events) {
    if (isAgentDelta(event)) {
      const stream = agentStreamOf(event)
      const all = (said.get(stream) ?? '') + event.delta
      if (all !== '') said.set(stream, all)
    } else {
      const isEnd = agentRunEnd(event) !== undefined
      const texts = [...said].map(([stream, text]) => [stream, isEnd ? text : text.replace(/[\ud800-\udbff]+$/, '')])
      moments.push([event, Object.fromEntries(texts.filter(([, text]) => text !== ''))])
    }
  }
  return moments
}

/** A run as a correct producer tells it: what begins is ended, the inner before the outer, and no id is used twice. */
function runOf(doings: readonly (readonly [name: string, how: string])[]): AgentEvent[] {
  const events: AgentEvent[] = [started]
  const open = new Map<string, string>()
  const add = (name: string, part: 0 | 1 | 2): void => {
    const { events: parts, within } = spans[name]!
    const ids = Object.entries(parts[part]).map(([field, value]) => [field, value === '' ? open.get(name) : value])
    const owner = within === undefined ? {} : { subagentRunId: open.get(within) }
    events.push({ ...Object.fromEntries(ids), ...owner })
  }
  const begin = (name: string): void => {
    const { within } = spans[name]!
    if (within !== undefined && !open.has(within)) begin(within)
    open.set(name, `${name} ${events.length}`)
    add(name, 0)
  }
  const end = (name: string): void => {
    for (const inner of open.keys()) if (spans[inner]!.within === name) end(inner)
    add(name, 2)
    open.delete(name)
  }
  for (const [name, how] of doings) {
    if (!open.has(name)) begin(name)
    else if (how === 'end') end(name)
    else add(name, 1)
  }
  for (const name of open.keys()) if (open.has(name)) end(name)
  return events
}

/** The numbers of the events that a lost row does not make come later. */
function momentsWithoutEnds(events: readonly AgentEvent[]): number[] {
  return events.flatMap(({ type, timestamp }) =>
    /END$|FINISHED$/.test(type) || timestamp === undefined ? [] : [timestamp as number],
  )
}
