import {
  type AgentRunStore,
  type NewAgentEventRow,
  noOpenItems,
  type OpenItems,
  type RunRecord,
  type RuntimeEventStore,
  trackRuntimeEvent,
  trackSessionEvent,
} from '@daybook/core'
import { isTerminalEvent, type RequestWait, type RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { isKnownSessionEvent, runtimeEventFromSessionEvent, type SessionEvent } from '@daybook/core/events'
import { attemptUpTo } from '../turn/attempt.ts'
import { runEventPages } from './run-events.ts'
import type { TurnLog } from './turn-log.ts'
import { writeWithRetries } from './write.ts'

export interface TurnLedgerStores {
  readonly runStore: AgentRunStore
  readonly runtimeEventStore: RuntimeEventStore
}

/** Writes what happens in the invocation of one run, and knows what of its turn is open. */
export class TurnLedger {
  readonly openItems: OpenItems = noOpenItems()
  readonly #stores: TurnLedgerStores
  readonly #run: RunRecord
  readonly #log: TurnLog | undefined
  #wait: RequestWait | undefined
  /** Ids of the facts that were recorded. */
  readonly #recorded = new Set<string>()
  /** What the invocations that it goes on from left open is taken in. */
  #hasInherited = false

  constructor(stores: TurnLedgerStores, run: RunRecord, log?: TurnLog) {
    this.#stores = stores
    this.#run = run
    this.#log = log
  }

  /** How the backend gets the answers to what it asks, once there is one. */
  set wait(wait: RequestWait | undefined) {
    this.#wait = wait
    if (this.#log !== undefined) this.#log.wait = wait
  }

  /** The fact of an event; undefined for one that only people who watch are shown. */
  factOf(event: SessionEvent): RuntimeEvent | undefined {
    return runtimeEventFromSessionEvent(event, this.#run, { ...this.openItems, wait: this.#wait })
  }

  /** Commits the event's fact where it has one; false when the very same event was recorded before. */
  async record(event: SessionEvent, fact: RuntimeEvent | undefined): Promise<boolean> {
    if (fact === undefined) await this.#log?.show(event)
    else {
      const isNew = !this.#recorded.has(fact.id)
      await this.append([fact], isNew ? [event] : [])
      if (!isNew) return false
      this.#recorded.add(fact.id)
    }
    if (isKnownSessionEvent(event)) trackSessionEvent(this.openItems, event)
    return true
  }

  /**
   * Takes in what the ledger holds of the invocation, where it is not known what was written, and what those that it goes
   * on from left open. Resolves to the facts of the invocation.
   */
  async readBack(): Promise<readonly RuntimeEvent[]> {
    const { runStore, runtimeEventStore } = this.#stores
    let facts: RuntimeEvent[] = []
    for (const { runId } of await attemptUpTo(this.#run, runStore)) {
      facts = []
      for await (const events of runEventPages(runtimeEventStore, runId))
        facts.push(...events.map(({ event }) => event))
      for (const fact of facts) {
        // What is taken in already may complete a text under whose id another one has begun since.
        const isTakenIn = runId === this.#run.runId ? this.#recorded.has(fact.id) : this.#hasInherited
        if (!isTakenIn) trackRuntimeEvent(this.openItems, fact)
      }
    }
    this.#hasInherited = true
    return facts
  }

  /**
   * Commits all or none, and with it what the events are for those who follow the run. What is in the ledger already, with
   * the same content, is as good as committed.
   */
  async append(facts: readonly RuntimeEvent[], shown: readonly SessionEvent[] = []): Promise<void> {
    const { invocationId, epoch, sessionId, turnId } = this.#run
    const { runtimeEventStore } = this.#stores
    const write = (rows: readonly NewAgentEventRow[]): Promise<void> =>
      writeWithRetries(async () => {
        const agentEvents = rows.length > 0 && { agentEvents: { rows } }
        await runtimeEventStore.append({ invocationId, epoch, events: facts, ...agentEvents })
      })
    if (this.#log === undefined || shown.length === 0) return write([])
    const last = facts.at(-1)
    if (last?.status === 'waiting')
      await this.#log.setExpiries(() => runtimeEventStore.listTurnRequests(sessionId, turnId))
    return this.#log.showWith(shown, last !== undefined && isTerminalEvent(last), write)
  }
}
