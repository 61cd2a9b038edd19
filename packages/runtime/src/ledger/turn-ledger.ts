import {
  noOpenItems,
  type OpenItems,
  type RunRecord,
  type RuntimeEventStore,
  trackRuntimeEvent,
  trackSessionEvent,
} from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { isKnownSessionEvent, runtimeEventFromSessionEvent, type SessionEvent } from '@daybook/core/events'
import { writeWithRetries } from './write.ts'

/** Writes what happens in the invocation of one run, and knows what of it is open. */
export class TurnLedger {
  readonly openItems: OpenItems = noOpenItems()
  readonly #store: RuntimeEventStore
  readonly #run: RunRecord
  /** Ids of the facts that were recorded. */
  readonly #recorded = new Set<string>()

  constructor(store: RuntimeEventStore, run: RunRecord) {
    this.#store = store
    this.#run = run
  }

  /** The fact of an event; undefined for one that only people who watch are shown. */
  factOf(event: SessionEvent): RuntimeEvent | undefined {
    return runtimeEventFromSessionEvent(event, this.#run, this.openItems)
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

  /** Takes in what the ledger holds of the invocation, where it is not known what was written. */
  async readBack(): Promise<void> {
    for (let after: number | null = 0; after !== null;) {
      const page = await this.#store.readRunRuntimeEvents(this.#run.runId, { after })
      for (const { event } of page.items) trackRuntimeEvent(this.openItems, event)
      after = page.next
    }
  }

  /** Commits all or none. What is in the ledger already, with the same content, is as good as committed. */
  async append(facts: readonly RuntimeEvent[]): Promise<void> {
    const { invocationId, epoch } = this.#run
    await writeWithRetries(() => this.#store.append({ invocationId, epoch, events: facts }))
  }
}
