import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, OpenedStorage } from '@daybook/core'
import { openMemory, openSqlite, type SqliteOptions } from '@daybook/storage'
import { agentEventLogProblems } from '@daybook/testing'

export interface TestStorage {
  readonly storage: OpenedStorage
  /** Closes the storage. Throws where one of its delivery logs is wrong: of all but those, by run id, which are for a reason. */
  readonly dispose: (wrongOnPurpose?: Readonly<Record<string, string>>) => Promise<void>
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
      return testStorage(openMemory({ now }))
    },
  },
  {
    name: 'sqlite',
    open(now = Date.now) {
      const { path, remove } = temporaryFolder()
      const { storage, dispose } = openFolder(path, { durability: 'normal', now })
      return { storage, dispose: (wrongOnPurpose) => dispose(wrongOnPurpose).finally(remove) }
    },
  },
]

/** The storage of a folder that other processes may have open, too. */
export function openFolder(path: string, options: SqliteOptions = {}): TestStorage {
  return testStorage(openSqlite(path, options))
}

function testStorage(storage: OpenedStorage): TestStorage {
  const dispose: TestStorage['dispose'] = async (wrongOnPurpose) => {
    const options = wrongOnPurpose && { except: wrongOnPurpose }
    const problems = await agentEventLogProblems(storage.agentEvents, options).finally(() => storage.close())
    assert.deepEqual(problems, [])
  }
  return { storage, dispose }
}
