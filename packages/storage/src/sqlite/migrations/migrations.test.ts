import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { migrations } from './index.ts'

/** Digests of the steps that ledgers out there have taken. Once published, a step never changes: append another. */
const published = ['8c4035cd30d1fdf1727eb5bb7ec8c1c7cd89b132172b3333f4362e4ee11c2566']

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
