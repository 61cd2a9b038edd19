import { createRequire } from 'node:module'

/** As much of a statement of better-sqlite3 as is needed. */
interface Statement {
  readonly source: string
  run: (this: Statement, ...values: unknown[]) => unknown
}

/** Has every statement of SQLite that writes in this process run by `around`, until the returned function is called. */
export function aroundStatements(around: (sql: string, run: () => unknown) => unknown): () => void {
  // The driver as the storage itself loads it.
  const Driver = createRequire(import.meta.resolve('@daybook/storage'))('better-sqlite3')
  const statements = Object.getPrototypeOf(new Driver(':memory:').prepare('SELECT 1')) as Statement
  const { run } = statements
  statements.run = function (...values) {
    return around(this.source, () => run.apply(this, values))
  }
  return () => void (statements.run = run)
}
