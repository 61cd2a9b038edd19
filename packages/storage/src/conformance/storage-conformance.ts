import { agentEventWriteBehaviour } from './agent-event-writes.ts'
import { appendBehaviour } from './append.ts'
import { branchBehaviour } from './branches.ts'
import { foreignRowBehaviour } from './foreign-rows.ts'
import { invocationBehaviour } from './invocations.ts'
import { ownerBehaviour } from './owners.ts'
import { readBehaviour } from './reads.ts'
import { requestListBehaviour } from './request-lists.ts'
import { requestBehaviour } from './requests.ts'
import { revisionBehaviour } from './revisions.ts'
import { runBehaviour } from './runs.ts'
import { searchBehaviour } from './search.ts'
import { sessionBehaviour } from './sessions.ts'
import type { Behaviour, ConformanceClock, ConformanceOptions, StorageUnderTest } from './storage-under-test.ts'
import { verifyLogsBehaviour } from './verify-logs.ts'
import { verifyBehaviour } from './verify.ts'
import { waitingTurnBehaviour } from './waiting-turns.ts'

const aspects: Readonly<Record<string, (behaviour: Behaviour) => void>> = {
  sessions: sessionBehaviour,
  revisions: revisionBehaviour,
  branches: branchBehaviour,
  search: searchBehaviour,
  runs: runBehaviour,
  owners: ownerBehaviour,
  append: appendBehaviour,
  'facts and rows': agentEventWriteBehaviour,
  reads: readBehaviour,
  invocations: invocationBehaviour,
  requests: requestBehaviour,
  'turns that wait': waitingTurnBehaviour,
  'lists of requests': requestListBehaviour,
  'foreign rows': foreignRowBehaviour,
  verify: verifyBehaviour,
  'verify of delivery logs': verifyLogsBehaviour,
}

/**
 * Registers one test for each thing that a storage does, whatever keeps its data. Each test opens a storage of its own
 * and disposes of it, also when it fails.
 */
export function storageConformance({ name, open, test, capabilities = [] }: ConformanceOptions): void {
  for (const [aspect, register] of Object.entries(aspects)) {
    register((title, body, needs) => {
      if (needs !== undefined && !capabilities.includes(needs)) return
      test(`${name}, ${aspect}: ${title}`, async () => {
        const clock = jumpingClock()
        const subject = await open({ now: clock.now })
        try {
          await body({ ...(subject as Required<StorageUnderTest>), clock })
        } finally {
          await subject.dispose()
        }
      })
    })
  }
}

function jumpingClock(): ConformanceClock {
  let calls = 0
  let held: number | undefined
  return {
    now() {
      calls += 1
      return held ?? 1_700_000_000_000 + (calls % 2 === 0 ? -calls : calls) * 1_000
    },
    holdAt(time) {
      held = time
    },
  }
}
