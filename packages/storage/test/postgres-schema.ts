import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectPostgres, type SqlConnection } from '../src/postgres.ts'

/** A schema of its own for a test, on the server that runs while the tests of this package do. */
export interface PostgresSchema {
  readonly name: string
  readonly url: string
  readonly connect: () => SqlConnection
}

export async function createPostgresSchema(): Promise<PostgresSchema> {
  const server = process.env.DAYBOOK_POSTGRES_URL
  if (server === undefined) throw new Error('no server: run the tests by `npm test` or by test/with-postgres.ts')
  const name = `daybook_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`CREATE SCHEMA ${name}`)
  await client.end()
  const url = `${server}?options=-c%20search_path%3D${name}`
  return { name, url, connect: () => connectPostgresUrl(url) }
}

export function connectPostgresUrl(url: string): SqlConnection {
  return connectPostgres(new pg.Pool({ connectionString: url, max: 4 }))
}
