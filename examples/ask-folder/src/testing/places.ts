import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'
import { openSqlite } from '@daybook/storage'
import { agentEventLogProblems } from '@daybook/testing'
import { temporaryFolder } from './temporary-folder.ts'

const files = {
  'README.md': '# Harbour\n\nBooks berths for boats.\n',
  'berths.ts': 'export const maxBoatMetres = 24\n',
}

export const verified = 'verified: index equals rebuild'

const ledgers: string[] = []

// What was shown of each run, AG-UI's clients take.
after(async () => {
  for (const path of ledgers.filter((path) => existsSync(path))) {
    const storage = openSqlite(path, { readOnly: true })
    const problems = await agentEventLogProblems(storage.agentEvents)
    storage.close()
    assert.deepEqual(problems, [])
  }
})

const home = temporaryFolder()

/** A folder about a harbour, a path for a new ledger, and the arguments that name both. */
export function places(): { readonly ledger: string; readonly dir: string; readonly args: readonly string[] } {
  const ledger = join(home, `new ${ledgers.length + 1}`, 'ledger')
  ledgers.push(ledger)
  const dir = temporaryFolder(files)
  return { ledger, dir, args: ['--dir', dir, '--ledger', ledger] }
}

/** What the query gives, each row as its only value. */
export function valuesOf(ledger: string, query: string): unknown[] {
  const database = new DatabaseSync(join(ledger, 'daybook.sqlite'), { readOnly: true })
  try {
    return database.prepare(query).all().flatMap(Object.values)
  } finally {
    database.close()
  }
}
