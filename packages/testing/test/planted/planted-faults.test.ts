import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  checkHistory,
  CrashHarness,
  type CrashChild,
  type HistoryEntry,
  type HistoryFault,
  killAtRandom,
  seededRandom,
} from '@daybook/testing'
import { type PlantedFault, SmallLedger } from './small-ledger.ts'
import type { WriterInput } from './writer.ts'

const harness = new CrashHarness()
const folder = mkdtempSync(join(tmpdir(), 'daybook testing '))
after(async () => {
  await harness.close()
  rmSync(folder, { recursive: true })
})

function start(input: WriterInput, holdAt: readonly string[] = []): CrashChild<HistoryEntry> {
  return harness.start(new URL('writer.ts', import.meta.url), { input, holdAt })
}

/** What is found in the ledger after the writers, which it is made for: two of them would be in each other's way. */
async function faultsAfter(
  fault: PlantedFault | null,
  run: (file: string) => Promise<readonly CrashChild<HistoryEntry>[]>,
): Promise<HistoryFault[]> {
  const file = join(mkdtempSync(join(folder, 'ledger ')), 'ledger.sqlite')
  const ledger = new SmallLedger(file, fault, Date.now)
  try {
    const history = (await run(file)).flatMap((writer) => writer.acknowledgements)
    return checkHistory(history, ledger.rows())
  } finally {
    ledger.close()
  }
}

/** Two processes write at once; then one takes over from the other, which goes on as if it did not know. */
function runTakeover(fault: PlantedFault | null): Promise<HistoryFault[]> {
  return faultsAfter(fault, async (file) => {
    const holdAt = ['first half done', 'claimed', 'appended', 'inserted, not sealed', 'done']
    const owner = start({ file, fault, role: 'owner', invocationId: 'one', time: 1_000_000 }, holdAt)
    const successor = start({ file, fault, role: 'successor', invocationId: 'two', time: 0 }, holdAt)
    await Promise.all([owner.held(), successor.held()])
    // Each goes on while the other stands still: the claim, an append after it, the terminal event, an append after it.
    for (const writer of [successor, owner, successor, owner]) await goOnToNext(writer)
    for (const writer of [successor, owner]) {
      while ((await writer.held()) !== 'done') await goOnToNext(writer)
      await writer.kill()
    }
    return [owner, successor]
  })
}

async function goOnToNext(writer: CrashChild): Promise<void> {
  writer.goOn()
  await writer.held()
}

const signs: Readonly<Record<PlantedFault, HistoryFault['code']>> = {
  'no fence': 'stale_owner',
  'no idempotency': 'duplicated',
  'acknowledgement before commit': 'missing',
  'seal after insert': 'not_sealed',
  'order by clock': 'real_time_order',
}

describe('checkHistory', () => {
  test('finds nothing where two processes write to a ledger that keeps its promises', async () => {
    assert.deepEqual(await runTakeover(null), [])
  })

  for (const [fault, sign] of Object.entries(signs) as [PlantedFault, HistoryFault['code']][]) {
    test(`finds the planted fault: ${fault}`, async () => {
      const found = (await runTakeover(fault)).map(({ code }) => code)
      assert.ok(found.includes(sign), `found only ${found.join()}`)
    })
  }

  test('finds nothing where two processes at a time are killed at random moments', async () => {
    const random = seededRandom(11)
    const faults = await faultsAfter(null, async (file) => {
      const writers: CrashChild<HistoryEntry>[] = []
      for (let round = 1; round <= 3; round++) {
        const pair = ['one', 'two'].map((name) =>
          start({ file, fault: null, role: 'forEver', invocationId: `${name} of ${round}`, time: 0 }),
        )
        await Promise.all(pair.map((writer) => killAtRandom(writer, random, { acknowledgements: 50, ms: 5 })))
        writers.push(...pair)
      }
      return writers
    })
    assert.deepEqual(faults, [])
  })
})
