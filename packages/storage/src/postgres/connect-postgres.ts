import { StorageClosedError } from '@daybook/core'
import type { SqlConnection, SqlQuery } from './sql-connection.ts'

interface PostgresQueries {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

interface PostgresClient extends PostgresQueries {
  /** With true or an error the client is given up, not used again. */
  release(giveUp?: Error | boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** What is used of a `Pool` of pg. */
export interface PostgresPool extends PostgresQueries {
  connect(): Promise<PostgresClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/**
 * A PostgreSQL server, 15 or newer, by a pool of pg that the application makes; PgBouncer in transaction mode may stand
 * between. Closing ends the pool.
 */
export function connectPostgres(pool: PostgresPool): SqlConnection {
  // The pool has given up the idle client that was lost; without a listener its error would end the process.
  pool.on('error', ignore)
  let closed: Promise<void> | undefined
  const checkOpen = () => {
    if (closed !== undefined) throw new StorageClosedError()
  }
  return {
    async query(text, values) {
      checkOpen()
      return queryOf(pool)(text, values)
    },
    async transaction(work) {
      checkOpen()
      const client = await pool.connect()
      client.on('error', ignore)
      let failure: Error | undefined
      try {
        await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
        const result = await work(queryOf(client))
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch((lost: Error) => (failure = lost))
        throw error
      } finally {
        client.removeListener('error', ignore)
        client.release(failure)
      }
    },
    close: () => (closed ??= pool.end()),
  }
}

function queryOf(queries: PostgresQueries): SqlQuery {
  return async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await queries.query(text, [...values])
    return { rows: rows as Row[] }
  }
}

function ignore(): void {}
