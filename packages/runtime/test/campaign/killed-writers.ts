import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import { runtimeInvocationsFromSessionEvents } from '@daybook/core/runtime-invocation'
import type { SessionManager } from '@daybook/runtime/session-manager'
import {
  checkHistory,
  type CrashChild,
  CrashHarness,
  type FinalRow,
  finalRow,
  type HistoryEntry,
  killAtRandom,
  recordHistory,
  seededRandom,
} from '@daybook/testing'
import { managerOfManySteps } from '../manager-of-many-steps.ts'
import { openFolder } from '../storages.ts'
import type { WriterInput } from '../writer-process.ts'

/** `.ci/campaigns/40-killed-writers.sh` asks for 200. */
const rounds = Number(process.env.DAYBOOK_KILL_ROUNDS ?? 3)
/** A ledger is checked as a whole after each round, so it is not to grow for ever. */
const roundsPerLedger = 5
const sessionCount = 4

const folder = mkdtempSync(join(tmpdir(), 'daybook-killed-'))
const harness = new CrashHarness()
after(async () => {
  await harness.close()
  rmSync(folder, { recursive: true })
})

test(`two writers killed at random, ${rounds} times, leave a whole ledger that takes the next message`, async (t) => {
  // The first process compiles for all.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache')
  const seed = Number(process.env.DAYBOOK_SEED ?? Date.now())
  t.diagnostic(`DAYBOOK_SEED=${seed}`)
  const random = seededRandom(seed)
  let acknowledged = 0
  for (let first = 0; first < rounds; first += roundsPerLedger) {
    acknowledged += await killRounds(random, Math.min(roundsPerLedger, rounds - first))
  }
  t.diagnostic(`${acknowledged} events acknowledged`)
  assert.ok(acknowledged > rounds)
})

/** Returns how many events were acknowledged. */
async function killRounds(random: () => number, count: number): Promise<number> {
  const root = mkdtempSync(join(folder, 'ledger-'))
  const history: HistoryEntry[] = []
  const opened = openFolder(root)
  const storage = recordHistory(opened.storage, (entry) => void history.push(entry))
  const manager = managerOfManySteps(storage)
  const sessionIds: string[] = []
  while (sessionIds.length < sessionCount) sessionIds.push((await manager.createSession()).id)
  for (let round = 0; round < count; round += 1) {
    const input: WriterInput = { root, sessionIds }
    const writers = [0, 1].map(() =>
      harness.start<HistoryEntry>(new URL('../writer-process.ts', import.meta.url), { input }),
    )
    await Promise.all(
      writers.map((writer) => killAtRandom(writer as CrashChild, random, { acknowledgements: 60, ms: 30 })),
    )
    history.push(...writers.flatMap((writer) => writer.acknowledgements))
    // Some are closed by recovery, some by the next message.
    if (round % 2 === 0) await manager.recover()
    await Promise.all(sessionIds.map((sessionId) => sendMessage(manager, sessionId)))
    await checkLedger(storage, sessionIds, history)
  }
  await manager.close()
  await opened.dispose()
  return history.reduce((sum, entry) => sum + (entry.kind === 'append' ? entry.events.length : 0), 0)
}

async function sendMessage(manager: SessionManager, sessionId: string): Promise<void> {
  let last: string | undefined
  for await (const { type } of manager.sendMessage(sessionId, { text: 'and now?' })) last = type
  assert.equal(last, 'complete')
}

/** Every run is closed, every acknowledged event is there once and in its place, and the index is the rebuild. */
async function checkLedger(
  storage: OpenedStorage,
  sessionIds: readonly string[],
  history: readonly HistoryEntry[],
): Promise<void> {
  const report = await storage.events.verifyStore()
  assert.deepEqual([...report.problems, ...report.notes], [])
  const rows: FinalRow[] = []
  for (const sessionId of sessionIds) {
    const events = await storage.events.readSessionRuntimeEvents(sessionId)
    rows.push(...events.map(finalRow))
    const listed = await storage.events.listSessionInvocations(sessionId)
    assert.deepEqual(listed, runtimeInvocationsFromSessionEvents(sessionId, events))
    assert.deepEqual(
      listed.filter(({ terminalEvent }) => terminalEvent === undefined),
      [],
    )
    assert.equal(await storage.runs.readActiveRun(sessionId), undefined)
  }
  assert.deepEqual(checkHistory(history, rows), [])
}
