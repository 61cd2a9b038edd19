import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { migrations } from './index.ts'

/** Digests of the steps that ledgers out there have taken. Once published, a step never changes: append another. */
const published = ['998670bca487c36a7aadc0a2e842300a2c849ced565c8c0d5a56e57c5d586198']

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
