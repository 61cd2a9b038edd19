import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AgentEventStore } from '@daybook/core'
import { agentEventStoreConformance } from '../../conformance.ts'
import { openSqlite } from '../open-sqlite.ts'

agentEventStoreConformance({
  name: 'sqlite',
  test,
  capabilities: ['another', 'watch', 'close'],
  open() {
    const root = mkdtempSync(join(tmpdir(), 'daybook-'))
    const opened: AgentEventStore[] = []
    const another = () => {
      const store = openSqlite(root, { durability: 'normal' }).agentEvents
      opened.push(store)
      return store
    }
    return {
      store: another(),
      another,
      dispose() {
        for (const store of opened) store.close?.()
        rmSync(root, { recursive: true })
      },
    }
  },
})
