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

function faultsIn(
  file: string,
  fault: PlantedFault | null,
  writers: readonly CrashChild<HistoryEntry>[],
): HistoryFault[] {
  const ledger = new SmallLedger(file, fault, Date.now)
  try {
    return checkHistory(
      writers.flatMap((writer) => writer.acknowledgements),
      ledger.rows(),
    )
  } finally {
    ledger.close()
  }
}

/** Two processes write at once; one takes an invocation over and ends another, and the first goes on as if it did not know. */
async function runTakeover(file: string, fault: PlantedFault | null): Promise<HistoryFault[]> {
  const holdAt = ['first half done', 'claimed', 'appended', 'inserted, not sealed', 'done']
  const owner = start({ file, fault, role: 'owner', invocationId: 'one', time: 1_000_000 }, holdAt)
  const successor = start({ file, fault, role: 'successor', invocationId: 'two', time: 0 }, holdAt)
  await Promise.all([owner.held(), successor.held()])
  for (const writer of [successor, owner, successor, owner]) await step(writer)
  for (const writer of [successor, owner]) {
    while ((await writer.held()) !== 'done') await step(writer)
    await writer.kill()
  }
  return faultsIn(file, fault, [owner, successor])
}

/** Lets it go on to its next point. */
async function step(writer: CrashChild<HistoryEntry>): Promise<void> {
  if ((await writer.held()) === 'done') return
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
    assert.deepEqual(await runTakeover(join(folder, 'right'), null), [])
  })

  for (const [fault, sign] of Object.entries(signs) as [PlantedFault, HistoryFault['code']][]) {
    test(`finds the planted fault: ${fault}`, async () => {
      const faults = await runTakeover(join(folder, fault), fault)
      assert.ok(
        faults.some(({ code }) => code === sign),
        JSON.stringify(faults),
      )
    })
  }

  test('finds nothing where two processes are killed at random moments, again and again', async () => {
    const random = seededRandom(11)
    const file = join(folder, 'killed')
    const writers: CrashChild<HistoryEntry>[] = []
    for (let round = 0; round < 3; round++) {
      const pair = ['one', 'two'].map((name) =>
        start({ file, fault: null, role: 'forEver', invocationId: `${name} of ${round}`, time: 0 }),
      )
      await Promise.all(pair.map((writer) => killAtRandom(writer, random, { acknowledgements: 50, ms: 5 })))
      writers.push(...pair)
    }
    assert.deepEqual(faultsIn(file, null, writers), [])
  })
})
