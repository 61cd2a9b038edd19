import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from './temporary-folder.ts'

const files = {
  'README.md': '# Harbour\n\nBooks berths for boats.\n',
  'berths.ts': 'export const maxBoatMetres = 24\n',
}

export const verified = 'verified: index equals rebuild'

/** A folder about a harbour, a path for a new ledger, and the arguments that name both. */
export function places(): { readonly ledger: string; readonly dir: string; readonly args: readonly string[] } {
  const ledger = join(temporaryFolder(), 'new', 'ledger')
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
