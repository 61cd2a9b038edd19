import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { openLog } from '../src/conformance/agent-events/samples.ts'
import { idsOf } from '../src/conformance/samples.ts'
import { toldRun } from '../src/conformance/verify-logs.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'
import { openSqlite } from '../src/sqlite/open-sqlite.ts'
import { temporaryRoot } from './temporary-root.ts'

const rowsOf = (name: string, condition: string) =>
  `log = (SELECT number FROM agent_event_logs WHERE run_id = 'run of ${name}') AND ${condition}`

function updateRow(set: string, condition: string) {
  return (name: string) => `UPDATE agent_events SET ${set} WHERE ${rowsOf(name, condition)}`
}

function updateLog(set: string) {
  return (name: string) => `UPDATE agent_event_logs SET ${set} WHERE run_id = 'run of ${name}'`
}

function insertRow(seq: number | string, event: string) {
  return (name: string) =>
    `INSERT INTO agent_events (log, last_seq, lines) SELECT number, ${seq}, ${event} FROM agent_event_logs WHERE run_id = 'run of ${name}'`
}

/** Each is done to the log of a run, whose rows are the start, a text's start, content and end, which were written at once, and the end. */
const damages: Record<string, readonly [sql: (name: string) => string, ...codes: string[]]> = {
  nothing: [() => 'SELECT 1'],
  'a flipped letter': [updateRow(`lines = replace(lines, 'hello', 'hallo')`, 'last_seq = 4'), 'log_differs'],
  'a flipped brace': [updateRow(`lines = replace(lines, '{', '[')`, 'last_seq = 4'), 'log_unreadable'],
  'bytes for text': [updateRow('lines = CAST(lines AS BLOB)', 'last_seq = 1'), 'log_unreadable'],
  'bytes that are no UTF-8': [updateRow(`lines = CAST(x'7bff7d' AS TEXT)`, 'last_seq = 1'), 'log_unreadable'],
  'a huge row': [updateRow(`lines = '"' || hex(zeroblob(3000000)) || '"'`, 'last_seq = 1'), 'log_unreadable'],
  'a row that is huge with all its marks replaced': [
    updateRow(`lines = '"' || replace(hex(zeroblob(2000000)), '0', char(1)) || '"'`, 'last_seq = 1'),
    'log_unreadable',
  ],
  'bytes for the text of several rows': [
    updateRow('lines = CAST(lines AS BLOB)', 'last_seq = 4'),
    'log_seq_gap',
    'log_unreadable',
  ],
  'rows that are gone': [(name) => `DELETE FROM agent_events WHERE ${rowsOf(name, 'last_seq = 4')}`, 'log_seq_gap'],
  'the first of several rows gone': [
    updateRow('lines = substr(lines, instr(lines, char(10)) + 1)', 'last_seq = 4'),
    'log_seq_gap',
  ],
  'a row between others': [
    updateRow(`lines = replace(lines, char(10), char(10) || '{"type":"CUSTOM"}' || char(10))`, 'last_seq = 4'),
    'log_seq_gap',
    'log_differs',
  ],
  'all rows gone': [(name) => `DELETE FROM agent_events WHERE ${rowsOf(name, 'true')}`, 'log_seq_gap'],
  'swapped seqs': [
    (name) => `${updateRow('last_seq = 99', 'last_seq = 1')(name)}; ${updateRow('last_seq = 1', 'last_seq = 5')(name)};
      ${updateRow('last_seq = 5', 'last_seq = 99')(name)}`,
    'log_differs',
    'log_invalid',
  ],
  'an end that is gone': [(name) => `DELETE FROM agent_events WHERE ${rowsOf(name, 'last_seq = 5')}`, 'log_seq_gap'],
  'an end that is gone, and the seq with it': [
    (name) => `DELETE FROM agent_events WHERE ${rowsOf(name, 'last_seq = 5')}; ${updateLog('last_seq = 4')(name)}`,
    'log_columns_differ',
    'log_invalid',
  ],
  'a row behind the end': [insertRow(6, `'{"type":"STEP_STARTED"}'`), 'log_seq_gap'],
  'a row behind the end that is counted': [
    (name) => `${insertRow(6, `'{"type":"CUSTOM"}'`)(name)}; ${updateLog('last_seq = 6, bytes = bytes + 17')(name)}`,
    'log_invalid',
  ],
  'a row at no seq': [updateRow(`last_seq = 'x'`, 'last_seq = 4'), 'log_seq_gap'],
  'a row below the floor': [updateLog('floor = 3'), 'log_seq_gap'],
  'a huge seq': [updateRow('last_seq = 9007199254740995', 'last_seq = 5'), 'log_seq_gap'],
  'another thread': [updateLog(`thread_id = 'x'`), 'log_differs'],
  'a finish that is gone': [updateLog('finished_at = NULL'), 'log_columns_differ'],
  'bytes that are not counted': [updateLog('bytes = bytes - 1'), 'log_columns_differ'],
  'bytes that are no number': [updateLog(`bytes = 'x'`), 'log_unreadable'],
  'a truncation': [updateLog('truncated = 1'), 'log_columns_differ'],
  'details that are no JSON': [updateLog(`details = '{'`), 'log_unreadable'],
  'details of another shape': [updateLog(`details = '{"tenant":1}'`), 'log_unreadable'],
  'an opening at no time': [updateLog(`opened_at = 'x'`), 'log_unreadable'],
  'a write id that comes twice': [updateRow(`write_id = 'same'`, 'last_seq IN (1, 4)'), 'log_invalid'],
}

test('verify finds what is wrong with each log by itself, and that nothing is with the others', async (t) => {
  const root = temporaryRoot(t)
  const storage = openSqlite(root, { durability: 'normal' })
  for (const name of Object.keys(damages)) await toldRun(storage, idsOf(name, name))
  await openLog(storage.agentEvents, 'run of nobody', 3)
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  for (const [name, [sql]] of Object.entries(damages)) database.exec(sql(name))
  database.exec(updateRow(`lines = '{'`, 'last_seq = 2')('nobody'))

  const { problems, ok, logs } = await storage.events.verifyStore()
  assert.deepEqual([ok, logs], [false, Object.keys(damages).length + 1])
  for (const [name, [, ...codes]] of Object.entries(damages)) {
    const found = problems.filter(({ sessionId }) => sessionId === name)
    assert.deepEqual(new Set(found.map(({ code }) => code)), new Set(codes), JSON.stringify([name, found]))
    for (const { runId, invocationId } of found) assert.deepEqual([runId, invocationId], [`run of ${name}`, name])
    const ofSession = await storage.events.verifySession(name)
    assert.deepEqual(ofSession.problems, found)
  }
  assert.deepEqual(
    problems.filter(({ sessionId }) => sessionId === null).map(({ code, runId, logSeq }) => [code, runId, logSeq]),
    [['log_unreadable', 'run of nobody', 2]],
  )

  database.exec(`
    INSERT INTO agent_events (log, last_seq, lines) VALUES (1000, 1, '{}'), (1000, 2, '{}'), ('x', 1, '{}');
    UPDATE agent_event_logs SET run_id = x'00' WHERE run_id = 'run of nobody'`)
  database.close()
  const damaged = (await storage.events.verifyStore()).problems.filter(({ code }) => code === 'storage_damaged')
  assert.deepEqual(
    damaged.map(({ message }) => message),
    ['2 delivery logs have rows, and nothing else', '1 delivery logs have a run id that is no text'],
  )
  storage.close()
})
