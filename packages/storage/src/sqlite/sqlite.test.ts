import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { storageConformance } from '../conformance.ts'
import { insertForeignRows } from '../../test/foreign-writer.ts'
import { openSqlite } from './open-sqlite.ts'

storageConformance({
  name: 'sqlite',
  test,
  capabilities: ['insertForeignRows', 'reopen'],
  open({ now }) {
    const root = mkdtempSync(join(tmpdir(), 'daybook-'))
    let storage = openSqlite(root, { now, durability: 'normal' })
    return {
      storage,
      dispose() {
        storage.close()
        rmSync(root, { recursive: true })
      },
      reopen() {
        storage.close()
        storage = openSqlite(root, { now, durability: 'normal' })
        return storage
      },
      insertForeignRows: (rows) => insertForeignRows(root, rows),
    }
  },
})
