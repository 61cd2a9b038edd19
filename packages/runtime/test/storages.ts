import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, OpenedStorage } from '@daybook/core'
import { openMemory, openSqlite } from '@daybook/storage'

export interface TestStorage {
  readonly storage: OpenedStorage
  readonly dispose: () => void
}

export interface StorageKind {
  readonly name: string
  /** `now` is the store's clock, by default the system's. */
  readonly open: (now?: Clock) => TestStorage
}

export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'daybook runtime '))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export const storageKinds: readonly StorageKind[] = [
  {
    name: 'memory',
    open(now = Date.now) {
      const storage = openMemory({ now })
      return { storage, dispose: () => storage.close() }
    },
  },
  {
    name: 'sqlite',
    open(now = Date.now) {
      const folder = temporaryFolder()
      const storage = openSqlite(folder.path, { durability: 'normal', now })
      const dispose = (): void => {
        storage.close()
        folder.remove()
      }
      return { storage, dispose }
    },
  },
]
