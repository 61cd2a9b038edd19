import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { migrations } from './index.ts'

/** Digests of the steps that ledgers out there have taken. Once published, a step never changes: append another. */
const published = ['0c2770ce1e83cc55ab2969e23e215636d300f7caf3d36b0090cd46826363274a']

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
