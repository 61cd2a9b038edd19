import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { agentEventStoreConformance } from '../../conformance.ts'
import { createFileAgentEventStore } from './agent-event-store.ts'

agentEventStoreConformance({
  name: 'file',
  test,
  capabilities: ['another', 'close'],
  open() {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-'))
    const opened: { readonly close: () => void }[] = []
    const another = () => {
      const store = createFileAgentEventStore(folder, { durability: 'normal' })
      opened.push(store)
      return store
    }
    return {
      store: another(),
      another,
      dispose() {
        for (const store of opened) store.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
})
