import { openSqlite } from '@daybook/storage'
import { interleave } from '../measure/interleave.ts'
import { median } from '../measure/median.ts'
import type { BenchResult } from '../measure/result.ts'
import { fillLedger } from '../raw/fill-ledger.ts'
import { eventsPerInvocation, historySessionId } from '../raw/history.ts'

const rounds = 9
const pagesPerRound = 50

/** The newest page of 50 invocations of a session with a thousand events and of the ledger's own one with a million. */
export async function invocationPage(root: string): Promise<BenchResult[]> {
  fillLedger(root, { sessionId: 'small', events: 1_000, eventsPerInvocation })
  const filled = openSqlite(root, { readOnly: true })
  const pageMs = (sessionId: string) => async (): Promise<number> => {
    const elapsedMs: number[] = []
    for (let page = 0; page < pagesPerRound; page += 1) {
      const started = performance.now()
      await filled.events.listSessionInvocationsPage(sessionId, { limit: 50 })
      elapsedMs.push(performance.now() - started)
    }
    return median(elapsedMs)
  }
  const figures = await interleave(rounds, { small: pageMs('small'), large: pageMs(historySessionId) })
  filled.close()
  return [
    { name: 'a page of 50 invocations at 1,000 events', value: figures.small, unit: 'ms' },
    { name: 'a page of 50 invocations at 1,000,000 events', value: figures.large, unit: 'ms' },
    {
      name: 'a page of invocations, 1,000,000 events against 1,000',
      value: figures.large / figures.small,
      unit: '×',
      target: { atMost: 1.5 },
    },
  ]
}
