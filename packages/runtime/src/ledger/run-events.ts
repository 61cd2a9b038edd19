import type { RuntimeEventStore } from '@daybook/core'
import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'

/** The events of a run in the order of their seqs, page by page; nothing for a run that has none. */
export async function* runEventPages(
  store: RuntimeEventStore,
  runId: string,
): AsyncGenerator<readonly StoredRuntimeEvent[]> {
  for (let after: number | null = 0; after !== null;) {
    const { items, next } = await store.readRunRuntimeEvents(runId, { after })
    yield items
    after = next
  }
}
