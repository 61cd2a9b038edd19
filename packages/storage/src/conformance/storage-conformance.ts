import { appendBehaviour } from './append.ts'
import { foreignRowBehaviour } from './foreign-rows.ts'
import { invocationBehaviour } from './invocations.ts'
import { readBehaviour } from './reads.ts'
import { runBehaviour } from './runs.ts'
import { sessionBehaviour } from './sessions.ts'
import type { Behaviour, ConformanceOptions, StorageUnderTest } from './storage-under-test.ts'
import { verifyBehaviour } from './verify.ts'

const aspects: Readonly<Record<string, (behaviour: Behaviour) => void>> = {
  sessions: sessionBehaviour,
  runs: runBehaviour,
  append: appendBehaviour,
  reads: readBehaviour,
  invocations: invocationBehaviour,
  'foreign rows': foreignRowBehaviour,
  verify: verifyBehaviour,
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
        const subject = await open({ now: jumpingClock() })
        try {
          await body(subject as Required<StorageUnderTest>)
        } finally {
          await subject.dispose()
        }
      })
    })
  }
}

/** A clock that goes forth and back, so that whatever is ordered by it comes out wrong. */
function jumpingClock(): () => number {
  let calls = 0
  return () => {
    calls += 1
    return 1_700_000_000_000 + (calls % 2 === 0 ? -calls : calls) * 1_000
  }
}
