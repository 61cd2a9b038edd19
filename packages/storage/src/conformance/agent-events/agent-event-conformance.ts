import { appendBehaviour } from './append.ts'
import { claimBehaviour } from './claims.ts'
import { closingBehaviour } from './closing.ts'
import { headerBehaviour } from './headers.ts'
import { hostileBehaviour } from './hostile.ts'
import { listingBehaviour } from './listing.ts'
import { pageBehaviour } from './pages.ts'
import { removalBehaviour } from './removal.ts'
import type { AgentEventBehaviour, AgentEventConformanceOptions, AgentEventStoreUnderTest } from './store-under-test.ts'
import { truncationBehaviour } from './truncation.ts'
import { watchBehaviour } from './watching.ts'

const aspects: Readonly<Record<string, (behaviour: AgentEventBehaviour) => void>> = {
  headers: headerBehaviour,
  append: appendBehaviour,
  pages: pageBehaviour,
  truncation: truncationBehaviour,
  claims: claimBehaviour,
  listing: listingBehaviour,
  removal: removalBehaviour,
  'hostile input': hostileBehaviour,
  watching: watchBehaviour,
  closing: closingBehaviour,
}

/**
 * Registers one test for each thing that a store of delivery logs does, whatever keeps its data. Each test opens a store
 * of its own and disposes of it, also when it fails.
 */
export function agentEventStoreConformance({
  name,
  open,
  test,
  capabilities = [],
}: AgentEventConformanceOptions): void {
  for (const [aspect, register] of Object.entries(aspects)) {
    register((title, body, ...needs) => {
      if (!needs.every((one) => capabilities.includes(one))) return
      test(`${name}, ${aspect}: ${title}`, async () => {
        const subject = await open()
        try {
          await body(subject as Required<AgentEventStoreUnderTest>)
        } finally {
          await subject.dispose()
        }
      })
    })
  }
}
