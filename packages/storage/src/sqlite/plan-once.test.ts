import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { planOnce } from './plan-once.ts'

function prepared(sql: string): Database.Statement<unknown[]> {
  const database = new Database(':memory:')
  planOnce(database)
  return database.prepare(sql)
}

test('every parameter gets its plus, and what stands in quotes is left alone', () => {
  assert.equal(prepared("SELECT ?, ':a?' WHERE ? IS NULL LIMIT ?").source, "SELECT +?, ':a?' WHERE +? IS NULL LIMIT +?")
  assert.equal(prepared("SELECT :a_1, 'it''s :b?'").source, "SELECT +:a_1, 'it''s :b?'")
})

test('a value is bound as it is', () => {
  const values = ['text', '12', '', null, 1.5, -7, Buffer.from([0, 255])]
  for (const value of values) assert.deepEqual(prepared('SELECT ?').pluck().get(value), value)
})
