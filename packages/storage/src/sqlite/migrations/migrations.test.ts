import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { migrations } from './index.ts'

/** Digests of the steps that ledgers out there have taken. Once published, a step never changes: append another. */
const published = ['7cada9b0878cfbb54f63ee5c0607d9b61eb04c27fa8d44a27c439299282110ab']

test('every step of the schema is what it always was, and they are numbered from 1', () => {
  assert.deepEqual(
    migrations.map(({ sql }) => createHash('sha256').update(sql.replace(/\s+/g, ' ')).digest('hex')),
    published,
  )
  assert.deepEqual(
    migrations.map(({ version }) => version),
    published.map((_, index) => index + 1),
  )
  for (const { version, minCodeVersion } of migrations) assert.ok(minCodeVersion <= version)
})
