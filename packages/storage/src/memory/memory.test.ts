import { test } from 'node:test'
import { storageConformance } from '../conformance.ts'
import { insertForeignRow } from './foreign-rows.ts'
import { createMemoryLedger } from './ledger.ts'
import { memoryStorage } from './open-memory.ts'

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
