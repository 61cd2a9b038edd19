import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type AgentRunStore, noOpenItems, type OpenedStorage, StorageFullError, trackRuntimeEvent } from '@daybook/core'
import { isKnownContent, isTerminalEvent, type RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { SessionEvent } from '@daybook/core/events'
import { AgentEventLog, type FollowEnd } from '@daybook/runtime/agent-event-log'
import type { SessionManager } from '@daybook/runtime/session-manager'
import { histories } from './histories.ts'
import { type Fault, withFaultyAppends, withFaultyRows } from './faulty-events.ts'
import { followFacts } from './follow-facts.ts'
import { managerOver, openManager } from './open-manager.ts'
import { type RandomTurn, randomTurn, scriptOf } from './random-turn.ts'
import { type Script, eventsOf, scriptedBackend } from './scripted-backend.ts'
import { storageKinds, type TestStorage } from './storages.ts'
import { unlessStuck } from './unless-stuck.ts'
import { settlesSoon } from './until.ts'

const kindOf: Readonly<Record<string, RegExp>> = {
  text_complete: /^text$/,
  thinking_complete: /^thinking$/,
  tool_start: /^function_call$/,
  tool_result: /^function_response$/,
  error: /^error$/,
  abort: /^aborted$/,
  complete: /^(completed|failed|aborted|waiting|error)$/,
}
const graceMs = 5000
const withoutFact = new Set([
  'text_delta',
  'thinking_delta',
  'tool_input_delta',
  'tool_result_preview',
  'provider_retry',
])

for (const { name, open } of storageKinds) {
  describe(`every history of turns on ${name}`, () => {
    let opened: TestStorage
    before(() => (opened = open()))
    after(() => opened.dispose())

    test('promise 6: what consumers and followers are told is in the ledger when they are told, and every turn ends once', () =>
      fc.assert(
        fc.asyncProperty(fc.array(randomTurn, { minLength: 1, maxLength: 3 }), fc.array(fc.integer()), (turns, times) =>
          unlessStuck(() => play(opened, turns, times)),
        ),
        { numRuns: histories },
      ))
  })
}

async function play({ storage }: TestStorage, turns: readonly RandomTurn[], times: readonly number[]): Promise<void> {
  let script: Script
  let faults: readonly Fault[] = []
  let rowFaults: readonly Fault[] = []
  let [attempt, row] = [0, 0]
  const failing = withFaultyRows(
    withFaultyAppends(storage, () => faults[attempt++]),
    () => rowFaults[row++],
  )
  const backend = scriptedBackend((input) => script(input))
  // What is waited for in vain is given up as soon as everything else has had its turn; no lease is renewed.
  const startTimer = (callback: () => void, ms: number): (() => void) => {
    if (ms > graceMs) return () => {}
    const timer = setTimeout(callback, 1)
    if (ms !== graceMs) timer.unref()
    return () => clearTimeout(timer)
  }
  let reads = 0
  const now = (): number => times[reads++ % times.length] ?? 0
  /** Of each run, one who follows it in the process that writes its log, and one who reads the store. */
  const follows: Promise<FollowEnd>[] = []
  const reader = new AgentEventLog(storage.agentEvents, { startTimer })
  const watched = whenOpened(failing, async (runId) => {
    const both = [await manager.follow(runId), reader.subscribe(runId, 0)]
    follows.push(...both.map((follow) => handled(followFacts(storage, runId, follow))))
  })
  const { manager, session } = await openManager(watched, backend, { graceMs, stopWaitMs: graceMs, startTimer, now })

  /** By turn, the ids of the facts that a consumer which read to the end was told. */
  const told = new Map<string, string[]>()
  for (const [index, turn] of turns.entries()) {
    const turnId = `turn-${index}`
    const ids: string[] = []
    script = scriptOf(turn.moves)
    ;[attempt, row] = [0, 0]
    ;({ faults, rowFaults } = turn)
    const hasReadAll = await consume(manager, session.id, turnId, turn, async (event) => {
      if (withoutFact.has(event.type)) return
      ids.push(event.id)
      const stored = await storage.events.readSessionRuntimeEvents(session.id)
      const fact = stored.find((each) => each.event.id === event.id && each.event.turnId === event.turnId)?.event
      assert.ok(fact, `${event.type} is not in the ledger`)
      const kind = fact.content?.kind ?? fact.status ?? 'fact'
      assert.match(kind, kindOf[event.type] ?? /^fact$/)
    })
    if (hasReadAll) told.set(turnId, ids)
  }
  ;[faults, rowFaults] = [[], []]
  script = async function* ({ turnId }) {
    yield eventsOf(turnId).complete()
  }
  const last = await manager.startTurn(session.id, { text: 'is anything stuck?' })
  assert.equal((await last.finished).state, 'completed')
  // Ends the logs whose last rows were lost.
  assert.deepEqual((await managerOver(storage).recover()).failed, [])
  for (const { end } of await Promise.all(follows)) assert.match(end, /^(terminal|waiting|unknown_run)$/)
  await manager.close()

  const report = await storage.events.verifySession(session.id)
  const notes = report.notes.filter(({ code }) => code !== 'log_incomplete')
  assert.deepEqual([report.problems, notes], [[], []])
  const stored = await storage.events.readSessionRuntimeEvents(session.id)
  // A stop of a turn that waits ends it in an invocation of its own.
  for (const events of Map.groupBy(stored, ({ event }) => event.invocationId).values()) {
    const { content, turnId } = events[0]!.event
    assertEndsOnce(events.map(({ event }) => event))
    assert.ok(isKnownContent(content) && content.kind === 'invocation_opened')
    const ids = content.source.kind === 'fresh' ? told.get(turnId) : undefined
    if (ids !== undefined)
      assert.deepEqual(
        ids,
        events.slice(2).map(({ event }) => event.id),
      )
  }
}

/** The storage, which tells of each run that is opened. */
function whenOpened(storage: OpenedStorage, tell: (runId: string) => Promise<void>): OpenedStorage {
  const runs: AgentRunStore = Object.assign(Object.create(storage.runs) as AgentRunStore, {
    async openRun(request: Parameters<AgentRunStore['openRun']>[0]) {
      const run = await storage.runs.openRun(request)
      await tell(run.runId)
      return run
    },
  })
  return { ...storage, runs }
}

/** One terminal event, the last, and every call answered unless somebody waits for it. */
function assertEndsOnce(events: readonly RuntimeEvent[]): void {
  assert.equal(events.findIndex(isTerminalEvent), events.length - 1)
  const open = noOpenItems()
  for (const event of events) trackRuntimeEvent(open, event)
  if (events.at(-1)?.status !== 'waiting') assert.deepEqual([...open.toolCalls.keys()], [])
}

/**
 * Reads as the turn says, and checks each event as it is told; true when it was read to its end. What the store threw may
 * come out of everything.
 */
async function consume(
  manager: SessionManager,
  sessionId: string,
  turnId: string,
  { taken, next: change, faults, moves }: RandomTurn,
  check: (event: SessionEvent) => Promise<void>,
): Promise<boolean> {
  const mayFail = hasLastingFault(faults)
  const isThrown = (error: unknown): boolean => mayFail && faults.some((fault) => fault?.error === error)
  const onLeave = change === 'detach' ? 'detach' : 'stop'
  const events = manager.sendMessage(sessionId, { turnId, text: 'hi', onLeave })
  const waits = moves.some((move) => move.do === 'hang' || move.do === 'untilAborted')
  try {
    for (let count = 0; ; count++) {
      if (count === taken && change === 'stop unread') await manager.stopSession(sessionId)
      if (count === taken && (change === 'leave' || change === 'detach')) break
      const next = events.next()
      next.catch(() => {})
      const isStuck = waits && !(await settlesSoon(next))
      if (isStuck || (count >= taken && change === 'stop')) await manager.stopSession(sessionId)
      const { done, value } = await next
      if (done === true) return true
      await check(value)
    }
    await events.return?.()
    if (change === 'detach') await manager.stopSession(sessionId)
  } catch (error) {
    if (!isThrown(error)) throw error
    await manager.stopSession(sessionId).catch((again: unknown) => {
      if (!isThrown(again)) throw again
    })
  }
  return false
}

/** Whether some append may fail for good: it is full, or nothing gets better in three attempts. */
function hasLastingFault(faults: readonly Fault[]): boolean {
  return faults.some(
    (fault, index) =>
      fault?.error instanceof StorageFullError || faults.slice(index, index + 3).filter(Boolean).length === 3,
  )
}

/** Its rejection is met later. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
