import { noOpenItems, type OpenItems, type RunRecord, type RuntimeEventStore, trackSessionEvent } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { isKnownSessionEvent, runtimeEventFromSessionEvent, type SessionEvent } from '@daybook/core/events'
import { writeWithRetries } from './write.ts'

/** Writes what happens in the invocation of one run, and knows what of it is open. */
export class TurnLedger {
  readonly openItems: OpenItems = noOpenItems()
  readonly #store: RuntimeEventStore
  readonly #run: RunRecord

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
    if (fact !== undefined && !(await this.append([fact]))) return false
    if (isKnownSessionEvent(event)) trackSessionEvent(this.openItems, event)
    return true
  }

  /** Commits all or none; false when all were in the ledger before this call. */
  async append(facts: readonly RuntimeEvent[]): Promise<boolean> {
    const { invocationId, epoch } = this.#run
    let attempts = 0
    const appended = await writeWithRetries(() => {
      attempts++
      return this.#store.append({ invocationId, epoch, events: facts })
    })
    return attempts > 1 || appended.some((each) => !each.duplicate)
  }
}
