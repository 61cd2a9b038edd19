import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { connectPostgresUrl, createPostgresSchema } from '../../../test/postgres-schema.ts'
import { createPostgresAgentEventStore } from '../agent-events/agent-event-store.ts'
import { migrations } from './index.ts'

/** Digests of the steps that databases out there have taken. Once published, a step never changes: append another. */
const published = ['f14069c6604926cb617b8dfa7811a3021b38af29abc56dbe47aec63ba9747180']

test('every step of the schema is what it always was, and they are numbered from 1', () => {
  assert.deepEqual(
    migrations.map(({ statements }) =>
      createHash('sha256').update(statements.join(';').replace(/\s+/g, ' ')).digest('hex'),
    ),
    published,
  )
  for (const [index, { version, minCodeVersion }] of migrations.entries()) {
    assert.equal(version, index + 1)
    assert.ok(minCodeVersion <= version)
  }
})

test('creates the schema once, however many start at once', async (t) => {
  const { connect } = await createPostgresSchema()
  const connections = Array.from({ length: 6 }, connect)
  t.after(() => Promise.all(connections.map((sql) => sql.close())))
  await Promise.all(connections.map(createPostgresAgentEventStore))
  const { rows } = await connections[0]!.query('SELECT * FROM daybook_meta')
  assert.deepEqual(rows, [{ schema_version: 1, min_code_version: 1 }])
})

test('only reads a schema that is current, and refuses one that it is too old for', async (t) => {
  const { url, connect } = await createPostgresSchema()
  const sql = connect()
  t.after(() => sql.close())
  await createPostgresAgentEventStore(sql)
  const readOnly = connectPostgresUrl(`${url}%20-c%20default_transaction_read_only%3Don`)
  t.after(() => readOnly.close())
  const store = await createPostgresAgentEventStore(readOnly)
  await assert.rejects(store.remove('r'), { code: 'STORAGE_READ_ONLY' })

  await sql.query('UPDATE daybook_meta SET schema_version = 3')
  await createPostgresAgentEventStore(sql)
  await sql.query('UPDATE daybook_meta SET min_code_version = 2')
  await assert.rejects(createPostgresAgentEventStore(sql), { code: 'NEWER_LEDGER', minCodeVersion: 2, codeVersion: 1 })
})
