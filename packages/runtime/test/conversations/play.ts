import assert from 'node:assert/strict'
import type { OpenedStorage, RequestRecord, SessionRecord } from '@daybook/core'
import { BackendRegistry, type RequestAnswer, SessionManager } from '@daybook/runtime/session-manager'
import { type FakeClock, ManualTimers } from '@daybook/testing'
import { stopPollMs } from '../../src/turn/live-runs.ts'
import { outcomeOfRun } from '../../src/turn/outcome-of-run.ts'
import { checkSession } from './checks.ts'
import type { Command, Conversation, Step } from './commands.ts'
import { type Life, mortalStorage, newLife } from './mortal-storage.ts'
import { answerRefusal, type Before, refusalOf } from './oracle.ts'
import { type PlannedBackends, plannedBackends, soonMs, type Witness } from './planned-backend.ts'

interface Process {
  readonly manager: SessionManager
  readonly life: Life
  readonly timers: ManualTimers
  readonly backends: PlannedBackends
}

/** Plays a conversation, and checks everything after each step. */
export async function play(storage: OpenedStorage, clock: FakeClock, conversation: Conversation): Promise<void> {
  const world = new World(storage, clock, conversation)
  await world.begin()
  for (const step of conversation.steps) await world.take(step)
  await world.end()
}

let boots = 0

class World {
  readonly #storage: OpenedStorage
  readonly #clock: FakeClock
  readonly #conversation: Conversation
  readonly #witness: Witness = { runs: new Map(), left: new Set() }
  /** The number of the process that lives: every other one is provably dead. */
  #generation = 0
  #process: Process
  readonly #elsewhere: Process
  readonly #sessions: SessionRecord[] = []
  #session!: SessionRecord
  #turns = 0
  readonly #checked = new Map<string, number | undefined>()
  /** The processes of other conversations on the storage are not known to be dead. */
  readonly #boot = `boot ${++boots}`

  constructor(storage: OpenedStorage, clock: FakeClock, conversation: Conversation) {
    this.#storage = storage
    this.#clock = clock
    this.#conversation = conversation
    this.#process = this.#newProcess(true)
    this.#elsewhere = this.#newProcess(false)
  }

  async begin(): Promise<void> {
    this.#session = await this.#process.manager.createSession({})
    this.#sessions.push(this.#session)
    const command = { do: 'send', plan: this.#conversation.first } as const
    await this.take({ command, elsewhere: false, diesAt: undefined, keepsLast: false })
  }

  async take(step: Step): Promise<void> {
    const { command, diesAt, keepsLast } = step
    const from = step.elsewhere ? this.#elsewhere : this.#process
    const { life } = this.#process
    const before = await this.#before()
    // A stop that waits for another process would wait for ever in a dead one.
    const mayDie = diesAt !== undefined && !step.elsewhere && command.do !== 'stop'
    if (mayDie) Object.assign(life, { writesLeft: diesAt, keepsLast })
    const done = this.#do(command, from, before).then(() => this.#settle())
    await Promise.race([done, life.died])
    life.writesLeft = Infinity
    if (life.isDead()) this.#replaceProcess()
    await this.#check()
  }

  /** Nothing is stuck: whatever happened, each session takes a message, and it is answered. */
  async end(): Promise<void> {
    this.#replaceProcess()
    const { manager } = this.#process
    for (const session of this.#sessions) {
      this.#session = session
      const { finished } = await manager.startTurn(session.id, { text: 'is anything stuck?' })
      assert.equal((await finished).state, 'completed')
      await this.#check()
    }
    assert.deepEqual((await manager.recover()).failed, [])
    await manager.close()
    await this.#elsewhere.manager.close()
  }

  /** What was checked is checked again only where something was written. */
  async #check(): Promise<void> {
    const { id } = this.#session
    const page = await this.#storage.events.readNewestSessionRuntimeEventsPage(id, { limit: 1 })
    const head = page.items[0]?.sessionSeq
    if (head === this.#checked.get(id)) return
    await checkSession(this.#storage, this.#session, this.#witness)
    this.#checked.set(id, head)
  }

  #newProcess(hasBackends: boolean): Process {
    const life = newLife()
    const timers = new ManualTimers()
    const { answers, resume } = this.#conversation
    const backends = plannedBackends({ answers, ...(resume && { resume }) }, this.#witness)
    const registry = new BackendRegistry()
    if (hasBackends) registry.register('ai-sdk', backends.factory)
    const mortal = mortalStorage(this.#storage, life)
    const { sessions: store, runs: runStore, events: runtimeEventStore, agentEvents: agentEventStore } = mortal
    const look = (): { startedAt: string } => ({ startedAt: `${this.#generation}` })
    const manager = new SessionManager({
      store,
      runStore,
      runtimeEventStore,
      agentEventStore,
      backends: registry,
      startTimer: timers.start,
      processTable: { bootId: this.#boot, pidNamespace: 'pid:[1]', look },
      warn: (message, cause) => assert.fail(new Error(message, { cause })),
    })
    return { manager, life, timers, backends }
  }

  #replaceProcess(): void {
    this.#process.life.die()
    this.#generation++
    this.#process = this.#newProcess(true)
  }

  async #before(): Promise<Before> {
    const newest = await this.#storage.runs.readNewestRun(this.#session.id)
    if (newest === undefined) return { newest, ending: undefined, requests: [], now: this.#clock.now() }
    const isDead = newest.state === 'running' && newest.owner.processStartedAt !== `${this.#generation}`
    const requests = await this.#storage.events.listTurnRequests(this.#session.id, newest.turnId)
    const outcome = isDead ? undefined : await outcomeOfRun(newest, this.#storage.events)
    return {
      newest: isDead ? { ...newest, state: 'failed' } : newest,
      ending: isDead ? { stopReason: 'error', failureCode: 'app_restarted' } : outcome?.ending,
      requests: isDead ? requests.map(closedByDeath) : requests,
      now: this.#clock.now(),
    }
  }

  async #do(command: Command, from: Process, before: Before): Promise<void> {
    const { manager } = from
    const { id } = this.#session
    const isElsewhere = from === this.#elsewhere
    if ('plan' in command) this.#process.backends.plan = command.plan
    switch (command.do) {
      case 'send': {
        const turnId = `turn-${++this.#turns}`
        return this.#expect(refusalOf(command, before, this.#conversation, isElsewhere), () =>
          manager.startTurn(id, { turnId, text: turnId }),
        )
      }
      case 'retry':
      case 'continue': {
        const call = command.do === 'retry' ? 'retryTurn' : 'continueTurn'
        return this.#expect(refusalOf(command, before, this.#conversation, isElsewhere), () => manager[call](id))
      }
      case 'answer':
        return this.#answer(command, manager, before)
      case 'stop':
        return this.#stop(from, before)
      case 'recover':
        assert.deepEqual((await manager.recover()).failed, [])
        assert.deepEqual(await this.#storage.events.listExpiredRequests(), [])
        return
      case 'release':
        return this.#process.backends.parked.get(id)?.()
      case 'expire':
        return this.#clock.advance(soonMs)
      case 'update': {
        const { revision } = (await manager.readSession(id))!
        const changed = await manager.updateSession(id, {
          changes: { title: `${revision}` },
          expectedRevision: revision,
        })
        assert.equal(changed.revision, revision + 1)
        return
      }
      case 'branch':
        return this.#branch(command, manager, before)
      case 'visit':
        this.#session = this.#sessions[command.which % this.#sessions.length]!
        return
      case 'die':
        this.#process.life.die()
        return new Promise(() => {})
    }
  }

  async #answer(
    command: Extract<Command, { do: 'answer' }>,
    manager: SessionManager,
    { requests, now }: Before,
  ): Promise<void> {
    const { which, all, record, how } = command
    if (requests.length === 0) return
    const chosen = all ? requests : [requests[which % requests.length]!]
    const answers = chosen.map((request) => answerTo(request, command))
    // Which of several is refused first is not said: closed before changed before expired.
    const refusals = chosen.map((request) => answerRefusal(command, request, now))
    const order = ['INVALID_INPUT', 'REQUEST_CLOSED', 'REQUEST_CHANGED', 'REQUEST_EXPIRED']
    const expected = order.filter((code) => refusals.includes(code))
    // That its process is dead is found out only for an answer that is one.
    if (expected.includes('REQUEST_CLOSED') && how === 'other digest') expected.push('REQUEST_CHANGED')
    const input = { answers, continue: !record }
    try {
      const { requests: answered } = await manager.answerRequests(this.#session.id, input)
      assert.deepEqual(expected, [])
      assert.ok(answered.every(({ answer }) => answer !== null))
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === undefined || !expected.includes(code)) throw error
    }
  }

  async #stop({ manager, timers }: Process, { newest }: Before): Promise<void> {
    let outcome: Awaited<ReturnType<SessionManager['stopSession']>> | null = null
    const stopped = manager.stopSession(this.#session.id).then((is) => (outcome = is))
    while (outcome === null) {
      await new Promise(setImmediate)
      for (const each of new Set([timers, this.#process.timers])) each.advance(stopPollMs)
    }
    const { state } = (await stopped) ?? {}
    if (newest?.state === 'running' || newest?.state === 'waiting') assert.equal(state, 'aborted')
  }

  async #branch(
    { which, side }: Extract<Command, { do: 'branch' }>,
    manager: SessionManager,
    { newest }: Before,
  ): Promise<void> {
    const transcript = await manager.transcript(this.#session.id)
    if (transcript.length === 0) return
    const { turnId } = transcript[which % transcript.length]!
    const isBusy = side === 'after' && newest?.state === 'running' && newest.turnId === turnId
    await this.#expect(isBusy ? 'SESSION_BUSY' : undefined, async () => {
      const point = side === 'after' ? { after: turnId } : { before: turnId }
      const branch = await manager.branchSession(this.#session.id, point)
      const shown = await manager.transcript(branch.id)
      const index = transcript.findIndex((turn) => turn.turnId === turnId)
      const ids = transcript.slice(0, side === 'after' ? index + 1 : index).map((turn) => turn.turnId)
      assert.deepEqual(
        shown.map((turn) => turn.turnId),
        ids,
      )
      if (this.#sessions.length < 4) this.#sessions.push(branch)
      this.#session = this.#sessions.at(-1)!
    })
  }

  async #expect(code: string | undefined, call: () => Promise<unknown>): Promise<void> {
    if (code === undefined) return void (await call())
    await assert.rejects(call(), { code })
  }

  /** Waits until nothing happens by itself any more in this session: its backend is parked, or no turn is answered. */
  async #settle(): Promise<void> {
    for (let calm = 0; calm < 3;) {
      await new Promise(setImmediate)
      const { timers, backends } = this.#process
      const active = await this.#storage.runs.readActiveRun(this.#session.id)
      const isCalm =
        active === undefined ||
        backends.parked.has(this.#session.id) ||
        active.owner.processStartedAt !== `${this.#generation}`
      calm = isCalm ? calm + 1 : 0
      if (isCalm && calm < 3) timers.advance(stopPollMs)
    }
  }
}

function closedByDeath(request: RequestRecord): RequestRecord {
  return request.state === 'open' ? { ...request, state: 'unanswered' } : request
}

function answerTo(
  { requestId, digest, kind }: RequestRecord,
  { how }: Extract<Command, { do: 'answer' }>,
): RequestAnswer {
  const base = { requestId, digest }
  switch (how) {
    case 'approve':
    case 'other kind':
      if ((kind === 'user_question') === (how === 'approve')) return { ...base, answer: 'this one' }
      return { ...base, decision: 'approved' }
    case 'change':
      return { ...base, decision: 'approved', args: { changed: true } }
    case 'deny':
      return { ...base, decision: 'denied' }
    case 'other digest':
      return { ...base, digest: '0'.repeat(64), decision: 'denied' }
  }
}
