import { InvalidIdError, InvalidInputError, StorageClosedError } from '@daybook/core'
import type { SqlConnection, SqlQuery } from './sql-connection.ts'

/** What is used of a PGlite, or of a transaction in it. */
interface PgliteQueries {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/**
 * PostgreSQL inside this process, by `@electric-sql/pglite`, which the application installs. `url` is where its data are:
 * `memory://`, or the path of a folder that nobody else may have open. Throws `InvalidInputError`.
 */
export async function connectPglite({ url }: { readonly url: string }): Promise<SqlConnection> {
  if (typeof url !== 'string' || url === '') {
    throw new InvalidInputError('url', 'must be memory:// or the path of a folder')
  }
  const { PGlite } = await import('@electric-sql/pglite')
  const database = await PGlite.create({ dataDir: url })
  let closed: Promise<void> | undefined
  const checkOpen = () => {
    if (closed !== undefined) throw new StorageClosedError()
  }
  return {
    async query(text, values) {
      checkOpen()
      return queryOf(database)(text, values)
    },
    async transaction(work) {
      checkOpen()
      return database.transaction((transaction) => work(queryOf(transaction)))
    },
    close: () => (closed ??= database.close()),
  }
}

function queryOf(queries: PgliteQueries): SqlQuery {
  return async (text, values = []) => {
    for (const value of values) {
      if (typeof value === 'string' && value.startsWith('\ufeff'))
        throw new InvalidIdError('the id', 'begins with U+FEFF, which PGlite does not give back')
    }
    return queries.query(text, [...values])
  }
}
