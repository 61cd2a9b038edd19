import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { describe, test } from 'node:test'
import {
  type AgentEvent,
  AGENT_EVENTS_GAP,
  agentEventNames,
  type AgentEventStore,
  LedgerDamagedError,
  type OpenedStorage,
  StorageIoError,
} from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import fc from 'fast-check'
import { asksFor } from '../../test/asking-backend.ts'
import { assertWhole } from '../../test/ledger-facts.ts'
import { type Fault, withFaultyAppends, withFaultyRows } from '../../test/faulty-events.ts'
import { histories } from '../../test/histories.ts'
import { managerOver, openManager, type TestManager } from '../../test/open-manager.ts'
import { eventsOf } from '../../test/scripted-backend.ts'
import { storageKinds, type TestStorage } from '../../test/storages.ts'

/** A storage whose logs take rows alone only while they are well; with facts they always do. */
function ailing(storage: OpenedStorage, isWell = () => true) {
  const health = { isWell }
  const append: OpenedStorage['agentEvents']['append'] = async (...row) => {
    if (!health.isWell()) throw new Error('the disk is full')
    return storage.agentEvents.append(...row)
  }
  const ill: OpenedStorage = { ...storage, agentEvents: { ...storage.agentEvents, append } }
  return { ill, health }
}

/** Text, thinking and a call, each in pieces that are shown alone and completed by a fact. */
const streams: Readonly<Record<string, (turnId: string) => { pieces: SessionEvent[]; whole: SessionEvent }>> = {
  text(turnId) {
    const say = eventsOf(`${turnId} text`)
    const [pieces, whole] = [['one ', 'two ', 'three'].map((text) => say.delta(text)), say.text('one two three')]
    return { pieces: pieces.map((one) => ({ ...one, turnId })), whole: { ...whole, turnId } }
  },
  reasoning(turnId) {
    const base = { turnId, ts: 1, messageId: 't' }
    const piece = (id: string, text: string): SessionEvent => ({ type: 'thinking_delta', id, ...base, text })
    return {
      pieces: [piece('t1', 'one '), piece('t2', 'two '), piece('t3', 'three')],
      whole: { type: 'thinking_complete', id: 't4', ...base, text: 'one two three' },
    }
  },
  'a call': (turnId) => {
    const base = { turnId, ts: 1, toolCallId: 'c', toolName: 'tool' }
    const piece = (id: string, text: string): SessionEvent => ({ type: 'tool_input_delta', id, ...base, text })
    return {
      pieces: [piece('c1', '{"a":'), piece('c2', '"one '), piece('c3', 'two"}')],
      whole: { type: 'tool_start', id: 'c4', ...base, args: { a: 'one two' } },
    }
  },
}

/** What a client makes of a log: the text of each stream, where something of it can be shown. */
function shownOf(events: readonly AgentEvent[]): Map<unknown, unknown> {
  const shown = new Map<unknown, unknown>()
  for (const { type, messageId, toolCallId, delta, name, value } of events) {
    const id = messageId ?? toolCallId
    if (/^(TEXT_MESSAGE|REASONING_MESSAGE|TOOL_CALL)_START$/.test(type)) shown.set(id, '')
    if (typeof delta === 'string') shown.set(id, `${String(shown.get(id))}${delta}`)
    const said = value as Record<string, unknown> | undefined
    if (name === 'daybook.text_replaced' && shown.has(said?.messageId)) shown.set(said?.messageId, said?.text)
    if (name === 'daybook.tool_args_replaced' && shown.has(said?.toolCallId))
      shown.set(said?.toolCallId, JSON.stringify(said?.args))
  }
  return shown
}

/** The message or call that the event tells anew. */
function replacedIn({ name, value }: AgentEvent): string | undefined {
  if (name !== agentEventNames.textReplaced && name !== agentEventNames.toolArgsReplaced) return undefined
  const { messageId, toolCallId } = value as { readonly messageId?: string; readonly toolCallId?: string }
  return messageId ?? toolCallId
}

/** Has what is joined stored, or lost, as time does. */
async function flushByTimer({ timers }: TestManager): Promise<void> {
  timers.advance(100)
  for (let turns = 0; turns < 20; turns++) await setImmediate()
}

for (const { name, open } of storageKinds) {
  for (const error of [new Error('the reply is lost'), new StorageIoError('the disk does not answer')]) {
    test(`a log on ${name} that cannot be read keeps no fact from the ledger: ${error.message}`, async () => {
      const { storage, dispose } = open()
      let isReadable = false
      const readState: AgentEventStore['readState'] = async (runId) => {
        if (!isReadable) throw error
        return storage.agentEvents.readState(runId)
      }
      const ill = { ...storage, agentEvents: { ...storage.agentEvents, readState } }
      const { manager, session } = await openManager(ill, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.text('hello')
        isReadable = true
        yield say.text('again', 'n')
        yield say.complete()
      })
      const turn = await manager.startTurn(session.id, { text: 'hi' })
      assert.equal((await turn.finished).state, 'completed')
      const types = (await storage.agentEvents.read(turn.runId))!.rows.map(({ event }) => event.name ?? event.type)
      assert.deepEqual([types.slice(0, 2), types.at(-1)], [['RUN_STARTED', AGENT_EVENTS_GAP], 'RUN_FINISHED'])
      await manager.close()
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })
  }

  test(`a log on ${name} that cannot say until when something can be answered keeps no turn from waiting for it`, async () => {
    const { storage, dispose } = open()
    const listTurnRequests = async () => {
      throw new StorageIoError('the disk does not answer')
    }
    const events = Object.assign(Object.create(storage.events) as typeof storage.events, { listTurnRequests })
    const { manager, session, warnings } = await openManager({ ...storage, events }, asksFor(['a'], 500))
    const turn = await manager.startTurn(session.id, { text: 'hi' })
    assert.equal((await turn.finished).state, 'waiting')
    assert.deepEqual(warnings, [`who follows run "${turn.runId}" is not told until when it waits for answers`])
    const last = (await storage.agentEvents.read(turn.runId))!.rows.at(-1)!.event
    const [interrupt] = (last.outcome as { interrupts: object[] }).interrupts
    assert.equal('expiresAt' in interrupt!, false)
    await manager.close()
    await assertWhole(storage)
    await dispose()
  })

  describe(`a log on ${name} that is ill while deltas are stored by the timer`, () => {
    for (const [stream, made] of Object.entries(streams)) {
      for (const [when, illAt] of [
        ['at the beginning', [0]],
        ['in the middle', [1]],
        ['before the end', [2]],
        ['twice', [0, 2]],
        ['throughout', [0, 1, 2]],
      ] as const) {
        test(`shows ${stream} whole where it was so ${when}`, async () => {
          const { storage, dispose } = open()
          const { ill, health } = ailing(storage)
          const subject: TestManager = await openManager(ill, async function* ({ turnId }) {
            const { pieces, whole } = made(turnId)
            for (const [index, piece] of pieces.entries()) {
              health.isWell = () => !illAt.some((at) => at === index)
              yield piece
              await flushByTimer(subject)
            }
            health.isWell = () => true
            yield whole
            yield { ...eventsOf(turnId).complete(), turnId }
          })
          const { session, manager } = subject
          const { runId, finished } = await manager.startTurn(session.id, { text: 'hi', protocolVersion: '1.0' })
          assert.equal((await finished).state, 'completed')
          const events = (await storage.agentEvents.read(runId))!.rows.map(({ event }) => event)
          assert.ok(events.some((event) => event.name === AGENT_EVENTS_GAP))
          const shown = [...shownOf(events).values()]
          assert.deepEqual(shown, [stream === 'a call' ? '{"a":"one two"}' : 'one two three'])
          // What nobody saw begin is not replaced.
          const isReplaced = events.some((event) => replacedIn(event) !== undefined)
          assert.equal(isReplaced, illAt[0] !== 0)
          await manager.close()
          await assertWhole(storage, ['log_incomplete'])
          await dispose()
        })
      }
    }
  })

  test(`a log on ${name} is what clients take, whichever writes fail`, () =>
    fc.assert(
      fc.asyncProperty(illTurn, (turn) => playIll(open, turn)),
      { numRuns: histories, examples: illTurns.map((turn) => [turn]) },
    ))
}

/**
 * So many writes succeed, then all fail until so many have, of any kind or of facts; each after it was kept, or before that.
 * Or the log refuses its rows, and facts are written alone.
 */
interface Outage {
  readonly after: number
  readonly failures: number
  readonly of: 'any' | 'facts' | 'log'
  readonly written: boolean
}

interface Saying {
  readonly kind: keyof typeof sayings
  readonly id: string
  readonly text: string
  readonly agentPath: readonly string[]
  readonly stepId: string | undefined
  /** What is joined is stored, or lost, before the next. */
  readonly waits: boolean
  /** A call has its result at once. */
  readonly isAnswered: boolean
}

const sayings = {
  text_delta: ({ id, text }: Saying) => ({ messageId: id, text }),
  text_complete: ({ id, text }: Saying) => ({ messageId: id, text }),
  thinking_delta: ({ id, text }: Saying) => ({ messageId: id, text }),
  thinking_complete: ({ id, text }: Saying) => ({ messageId: id, text, providerMetadata: { signed: text } }),
  tool_input_delta: ({ id, text }: Saying) => ({ toolCallId: id, toolName: 'tool', text }),
  tool_start: ({ id, text }: Saying) => ({ toolCallId: id, toolName: 'tool', args: text }),
  source: ({ id, text }: Saying) => ({ sourceId: id, url: text }),
  token_usage: () => ({ usage: { inputTokens: 1 } }),
  custom: ({ id, text }: Saying) => ({ name: id, value: text, extra: true }),
  error: ({ text }: Saying) => ({ message: text }),
} as const

interface IllTurn {
  readonly protocolVersion: string | undefined
  readonly said: readonly Saying[]
  /** What is complete is begun again under its id. */
  readonly reusesIds: boolean
  readonly outages: readonly Outage[]
}

const illTurn = fc.record<IllTurn>({
  reusesIds: fc.boolean(),
  protocolVersion: fc.constantFrom(undefined, '1.0'),
  said: fc.array(
    fc.record<Saying>({
      kind: fc.constantFrom(...(Object.keys(sayings) as (keyof typeof sayings)[])),
      id: fc.constantFrom('a', 'b'),
      text: fc.constantFrom('x', 'xy', '', '\ud83d', '\ude00'),
      agentPath: fc.constantFrom([], ['helper'], ['helper', 'inner']),
      stepId: fc.constantFrom(undefined, 'one', 'two'),
      waits: fc.boolean(),
      isAnswered: fc.boolean(),
    }),
    { maxLength: 12 },
  ),
  outages: fc.array(
    fc.record<Outage>({
      after: fc.nat({ max: 6 }),
      failures: fc.integer({ min: 1, max: 5 }),
      of: fc.constantFrom('any', 'facts', 'log'),
      written: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
})

const saying: Saying = {
  kind: 'text_delta',
  id: 'a',
  text: 'x',
  agentPath: [],
  stepId: undefined,
  waits: false,
  isAnswered: false,
}
/** Until the storage refuses a third fact. */
const untilFactIsLost = { failures: 3, of: 'facts', written: false } as const

/** What random turns meet rarely. */
const illTurns: readonly IllTurn[] = [
  // The end of a step is lost, and so is the fact behind it, so that the log is read back while the end is still to be written.
  {
    protocolVersion: '1.0',
    reusesIds: false,
    said: [
      { ...saying, stepId: 'one', waits: true },
      { ...saying, stepId: 'two', waits: true },
      { ...saying, kind: 'text_complete', text: 'xx', stepId: 'two' },
    ],
    outages: [{ ...untilFactIsLost, after: 3 }],
  },
  // The whole of a call whose beginning was lost is written, but the storage does not say so.
  {
    protocolVersion: undefined,
    reusesIds: false,
    said: [
      { ...saying, kind: 'tool_input_delta' },
      { ...saying, kind: 'tool_start' },
    ],
    outages: [
      { ...untilFactIsLost, after: 0, failures: 1 },
      { after: 0, failures: 1, of: 'any', written: true },
    ],
  },
  // Half of a character waits for the other half when the log is read back.
  {
    protocolVersion: undefined,
    reusesIds: false,
    said: [
      { ...saying, text: '\ud83d' },
      { ...saying, kind: 'tool_start' },
    ],
    outages: [{ ...untilFactIsLost, after: 0 }],
  },
  // A fact is written without its rows, which are all of a sub-agent whose beginning was lost, but the storage does not say so.
  {
    protocolVersion: undefined,
    reusesIds: false,
    said: [
      { ...saying, agentPath: ['helper', 'inner'] },
      { ...saying, kind: 'tool_start' },
      { ...saying, kind: 'thinking_complete', agentPath: ['helper'] },
    ],
    outages: [
      { ...untilFactIsLost, after: 0, failures: 1 },
      { after: 1, failures: 3, of: 'any', written: true },
    ],
  },
]

async function playIll(open: () => TestStorage, turn: IllTurn): Promise<void> {
  const { protocolVersion, reusesIds, outages } = turn
  const said = reusesIds ? turn.said : withOwnIds(turn.said)
  const { storage, dispose } = open()
  const faultOf = faultsOf(outages)
  let isOver = false
  const next = (isFact: boolean): Fault => (isOver ? undefined : faultOf(isFact))
  const subject: TestManager = await openManager(
    withFaultyRows(
      withFaultyAppends(storage, () => next(true)),
      () => next(false),
    ),
    async function* ({ turnId }) {
      for (const [index, saying] of isOver ? [] : said.entries()) {
        const { kind, id, agentPath, stepId, waits, isAnswered } = saying
        const from = { ...(stepId !== undefined && { stepId }), ...(agentPath.length > 0 && { agentPath }) }
        const base = { id: `${turnId} ${index}`, turnId, ts: index, ...from }
        yield { ...base, type: kind, ...sayings[kind](saying) }
        if (kind === 'tool_start' && isAnswered)
          yield { ...base, type: 'tool_result', id: `${base.id} result`, toolCallId: id, result: 'done' }
        if (waits) await flushByTimer(subject)
      }
      yield eventsOf(turnId).complete()
    },
  )
  const { session, manager } = subject
  const { runId, finished } = await manager.startTurn(session.id, {
    text: 'hi',
    ...(protocolVersion !== undefined && { protocolVersion }),
  })
  await finished
  isOver = true
  // Ends what could not be ended.
  await (
    await manager.startTurn(session.id, { text: 'is anything stuck?' })
  ).finished
  assert.deepEqual((await managerOver(storage).recover()).failed, [])
  await manager.close()
  await assertWhole(storage, ['log_incomplete'])
  const begun = new Set<unknown>()
  for (const { event } of (await storage.agentEvents.read(runId))!.rows) {
    const { type, messageId, toolCallId } = event
    if (type.endsWith('_START')) begun.add(messageId ?? toolCallId)
    const replaced = replacedIn(event)
    if (replaced !== undefined) assert.ok(begun.has(replaced), `${replaced} is replaced and was not shown`)
  }
  await dispose()
}

/** Those of one id get another one after it is complete. */
function withOwnIds(said: readonly Saying[]): readonly Saying[] {
  return said.map((saying, index) => {
    const [kind] = saying.kind.split('_')
    const before = said.slice(0, index).filter(({ id, kind: each }) => id === saying.id && each.startsWith(kind!))
    const completed = before.filter(({ kind: each }) => !each.endsWith('_delta')).length
    return { ...saying, id: `${saying.id}${completed}` }
  })
}

const refusedByLog: Fault = { error: new LedgerDamagedError(null, 'the log', 'is damaged'), ofRows: true }

/** What becomes of each write, in order. */
function faultsOf(outages: readonly Outage[]): (isFact: boolean) => Fault {
  const error = new StorageIoError('the disk does not answer')
  const next = outages.values()
  let outage = next.next().value
  let [written, failed] = [0, 0]
  return (isFact) => {
    if (outage === undefined || written++ < outage.after) return undefined
    const fault = outage.of === 'log' ? refusedByLog : { error, written: outage.written }
    if ((outage.of === 'any' || isFact) && ++failed === outage.failures) {
      outage = next.next().value
      ;[written, failed] = [0, 0]
    }
    return fault
  }
}
