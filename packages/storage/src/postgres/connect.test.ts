import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createPostgresSchema } from '../../test/postgres-schema.ts'
import { createPostgresAgentEventStore } from './agent-events/agent-event-store.ts'
import { connectPglite } from './connect-pglite.ts'
import { postgresError } from './errors.ts'

test('connectPostgres commits a transaction, or nothing of it, and goes on after both', async (t) => {
  const sql = (await createPostgresSchema()).connect()
  t.after(() => sql.close())
  await sql.query('CREATE TABLE numbers (number int)')
  assert.equal(
    await sql.transaction(async (query) => {
      await query('INSERT INTO numbers VALUES ($1)', [1])
      return 'done'
    }),
    'done',
  )
  const failed = sql.transaction(async (query) => {
    await query('INSERT INTO numbers VALUES (2)')
    throw new Error('of the work')
  })
  await assert.rejects(failed, { message: 'of the work' })
  assert.deepEqual((await sql.query('SELECT number FROM numbers')).rows, [{ number: 1 }])
})

test('connectPostgres uses another connection after one was lost', async (t) => {
  const sql = (await createPostgresSchema()).connect()
  t.after(() => sql.close())
  const lose = 'SELECT pg_terminate_backend(pg_backend_pid())'
  const store = await createPostgresAgentEventStore({ ...sql, query: () => sql.query(lose) }).catch((error) => error)
  assert.equal(store.code, 'STORAGE_IO')
  await assert.rejects(sql.transaction((query) => query(lose)))
  assert.deepEqual((await sql.query('SELECT 1 AS one')).rows, [{ one: 1 }])
  // Lost while nobody uses it.
  const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  await sql
    .transaction(async (query) => {
      await query('SELECT 1')
      await sql.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]).catch(() => {})
      await delay(10)
    })
    .catch(() => {})
  assert.deepEqual((await sql.query('SELECT 1 AS one')).rows, [{ one: 1 }])
})

test('what comes after closing is told that it is closed, and closing again does nothing', async () => {
  const sql = (await createPostgresSchema()).connect()
  const store = await createPostgresAgentEventStore(sql)
  await Promise.all([sql.close(), sql.close()])
  await assert.rejects(store.maxSeq('r'), { code: 'STORAGE_CLOSED' })
  await assert.rejects(
    sql.transaction(async () => {}),
    { code: 'STORAGE_CLOSED' },
  )
})

test('connectPglite refuses a place that is none', async () => {
  for (const url of ['', undefined as never]) {
    await assert.rejects(connectPglite({ url }), { code: 'INVALID_INPUT', field: 'url' })
  }
})

test('says what an error of the server means to a caller, and leaves a mistake in the SQL as it is', () => {
  const codes = {
    '40001': 'STORAGE_BUSY',
    '40P01': 'STORAGE_BUSY',
    '55P03': 'STORAGE_BUSY',
    '57014': 'STORAGE_BUSY',
    '53100': 'STORAGE_FULL',
    '53300': 'STORAGE_IO',
    '25006': 'STORAGE_READ_ONLY',
    '57P01': 'STORAGE_IO',
    '08006': 'STORAGE_IO',
    XX000: 'STORAGE_IO',
    ECONNREFUSED: 'STORAGE_IO',
    EPIPE: 'STORAGE_IO',
    '42601': '42601',
    '42501': '42501',
  }
  for (const [code, expected] of Object.entries(codes)) {
    const cause = Object.assign(new Error('of the server'), { code })
    const error = postgresError(cause) as typeof cause
    assert.equal(error.code, expected)
    assert.ok(error === cause || error.cause === cause)
  }
})
