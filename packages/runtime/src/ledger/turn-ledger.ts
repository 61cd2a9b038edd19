import {
  type AgentRunStore,
  noOpenItems,
  type OpenItems,
  type RunRecord,
  type RuntimeEventStore,
  trackRuntimeEvent,
  trackSessionEvent,
} from '@daybook/core'
import type { RequestWait, RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { isKnownSessionEvent, runtimeEventFromSessionEvent, type SessionEvent } from '@daybook/core/events'
import { attemptUpTo } from '../turn/attempt.ts'
import { writeWithRetries } from './write.ts'

export interface TurnLedgerStores {
  readonly runStore: AgentRunStore
  readonly runtimeEventStore: RuntimeEventStore
}

/** Writes what happens in the invocation of one run, and knows what of its turn is open. */
export class TurnLedger {
  readonly openItems: OpenItems = noOpenItems()
  /** How the backend gets the answers to what it asks, once there is one. */
  wait: RequestWait | undefined
  readonly #stores: TurnLedgerStores
  readonly #run: RunRecord
  /** Ids of the facts that were recorded. */
  readonly #recorded = new Set<string>()

  constructor(stores: TurnLedgerStores, run: RunRecord) {
    this.#stores = stores
    this.#run = run
  }

  /** The fact of an event; undefined for one that only people who watch are shown. */
  factOf(event: SessionEvent): RuntimeEvent | undefined {
    return runtimeEventFromSessionEvent(event, this.#run, { ...this.openItems, wait: this.wait })
  }

  /** Commits the event's fact where it has one; false when the very same event was recorded before. */
  async record(event: SessionEvent, fact: RuntimeEvent | undefined): Promise<boolean> {
    if (fact !== undefined) {
      await this.append([fact])
      if (this.#recorded.has(fact.id)) return false
      this.#recorded.add(fact.id)
    }
    if (isKnownSessionEvent(event)) trackSessionEvent(this.openItems, event)
    return true
  }

  /**
   * Takes in what the ledger holds of the invocation, where it is not known what was written, and what those that it goes
   * on from left open.
   */
  async readBack(): Promise<void> {
    const { runStore, runtimeEventStore } = this.#stores
    for (const { runId } of await attemptUpTo(this.#run, runStore)) {
      for (let after: number | null = 0; after !== null;) {
        const page = await runtimeEventStore.readRunRuntimeEvents(runId, { after })
        for (const { event } of page.items) trackRuntimeEvent(this.openItems, event)
        after = page.next
      }
    }
  }

  /** Commits all or none. What is in the ledger already, with the same content, is as good as committed. */
  async append(facts: readonly RuntimeEvent[]): Promise<void> {
    const { invocationId, epoch } = this.#run
    await writeWithRetries(() => this.#stores.runtimeEventStore.append({ invocationId, epoch, events: facts }))
  }
}
