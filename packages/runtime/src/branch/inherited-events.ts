import type { RuntimeEventStore, SessionRecord, SessionStore } from '@daybook/core'
import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { findSession } from '../session/find-session.ts'

interface Stores {
  readonly store: SessionStore
  readonly runtimeEventStore: RuntimeEventStore
}

/** What a branch shows of its parents, the oldest first, each up to where the next session branches off. */
export async function inheritedEvents(session: SessionRecord, stores: Stores): Promise<StoredRuntimeEvent[][]> {
  const newestFirst: StoredRuntimeEvent[][] = []
  for await (const { parent, upTo } of parentsOf(session, stores.store)) {
    newestFirst.push(await eventsUpTo(parent.id, upTo, stores.runtimeEventStore))
  }
  return newestFirst.reverse()
}

/** The parent of a branch, the parent of that, and so on, each with the position up to which the branch shows it. */
export async function* parentsOf(
  session: SessionRecord,
  store: SessionStore,
): AsyncGenerator<{ readonly parent: SessionRecord; readonly upTo: number }> {
  for (let { parentSessionId, parentSessionSeq } = session; parentSessionId !== null;) {
    const parent = await findSession(store, parentSessionId, { tenant: session.tenant })
    yield { parent, upTo: parentSessionSeq ?? 0 }
    ;({ parentSessionId, parentSessionSeq } = parent)
  }
}

async function eventsUpTo(sessionId: string, upTo: number, store: RuntimeEventStore): Promise<StoredRuntimeEvent[]> {
  const events: StoredRuntimeEvent[] = []
  for (let after: number | null = 0; after !== null && after < upTo;) {
    const page = await store.readSessionRuntimeEventsPage(sessionId, { after, limit: Math.min(1000, upTo - after) })
    for (const stored of page.items) if (stored.sessionSeq <= upTo) events.push(stored)
    after = page.next
  }
  return events
}
