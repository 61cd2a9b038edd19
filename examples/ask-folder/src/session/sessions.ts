import type { SessionRecord } from '@daybook/core'
import type { Ledger } from './ledger.ts'

/** The sessions of a ledger, newest first. */
export async function* allSessions({ manager }: Ledger): AsyncGenerator<SessionRecord> {
  for (let after: { createdAt: number; id: string } | null | undefined; after !== null;) {
    const page = await manager.listSessions(after === undefined ? {} : { after })
    yield* page.items
    after = page.next
  }
}
