import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { drawFact } from '../terminal/facts.ts'
import type { Screen } from '../terminal/screen.ts'
import { shortId } from '../terminal/short-id.ts'
import type { Ledger } from './ledger.ts'

/** Remembers where the ledger of a session ends now; what it resolves to shows the facts that were added since. */
export async function changesOf(
  { storage: { events } }: Ledger,
  sessionId: string,
  screen: Screen,
): Promise<() => Promise<void>> {
  const { items } = await events.readNewestSessionRuntimeEventsPage(sessionId, { limit: 1 })
  const last = items[0]?.sessionSeq ?? 0
  return async () => {
    const added: StoredRuntimeEvent[] = []
    for (let after: number | null = last; after !== null;) {
      const page = await events.readSessionRuntimeEventsPage(sessionId, { after })
      added.push(...page.items)
      after = page.next
    }
    screen.line()
    screen.line(added.length === 0 ? 'Nothing changed in the ledger' : 'What changed in the ledger', 'bold')
    for (const one of added)
      screen.line(`  added ${shortId(one.event.invocationId)} ${drawFact(one, screen.columns - 17)}`, 'dim')
  }
}
