import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storageConformance } from '../conformance.ts'
import { insertForeignRow } from './foreign-rows.ts'
import { createMemoryLedger } from './ledger.ts'
import { foreignRow, idsOf, openedEvent, textEvent } from '../conformance/samples.ts'
import { memoryStorage, openMemory } from './open-memory.ts'

storageConformance({
  name: 'memory',
  test,
  capabilities: ['insertForeignRows'],
  open({ now }) {
    const ledger = createMemoryLedger(now)
    return {
      storage: memoryStorage(ledger),
      dispose: () => {},
      insertForeignRows: (rows) => rows.forEach((row) => insertForeignRow(ledger, row)),
    }
  },
})

test('memory opens with the rows that a foreign writer left', async () => {
  const ids = idsOf('s', 'i')
  const events = [openedEvent(ids), textEvent(ids, 'a')]
  const storage = openMemory({ foreignRows: events.map((event, index) => foreignRow(event, index + 1)) })
  const stored = await storage.events.readSessionRuntimeEvents('s')
  assert.deepEqual(
    stored.map(({ event }) => event),
    events,
  )
})
