import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, test } from 'node:test'
import { runCli } from '@daybook/cli'
import { encodeCanonicalRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { type Finished, runHere } from './testing/run-main.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

describe('npm run verify, on the ledger of npm start', () => {
  const ledger = temporaryFolder()
  const original = join(ledger, 'daybook.sqlite')
  const dir = temporaryFolder({ 'README.md': '# Harbour\n\nBooks berths for boats.\n' })
  before(async () => {
    for (const question of ['What is this folder about?', 'Who books berths?'])
      assert.equal((await runHere(['--dir', dir, '--ledger', ledger, question])).code, 0)
  })

  async function runVerify(args: readonly string[]): Promise<Finished> {
    let [out, err] = ['', '']
    const output = { out: (line: string) => (out += `${line}\n`), err: (line: string) => (err += `${line}\n`) }
    return { code: await runCli(['verify', ...args], output), out, err }
  }

  /** A copy of the ledger, changed by SQL. */
  function changed(sql: string): string {
    const file = join(temporaryFolder(), 'copy.sqlite')
    copyFileSync(original, file)
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    return file
  }

  const firstCall = `(SELECT invocation_id, event_seq FROM runtime_events WHERE event_kind = 'function_call' ORDER BY session_seq LIMIT 1)`

  test('passes a file and a folder, and changes nothing in it', async () => {
    const state = () => [createHash('sha256').update(readFileSync(original)).digest('hex'), statSync(original).mtimeMs]
    const before = state()
    for (const path of [original, ledger]) {
      const { code, out, err } = await runVerify([path])
      assert.deepEqual([code, err], [0, ''])
      assert.match(
        out,
        /^1 session, 2 invocations, \d+ events, 2 logs of \d+ rows: 0 problems, 0 notes\nverified: index equals rebuild\nverified: logs agree with the ledger\n$/,
      )
    }
    assert.deepEqual(state(), before)
  })

  test('names one flipped byte of a payload', async () => {
    const file = changed('')
    const bytes = readFileSync(file)
    const at = bytes.indexOf('Books berths')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const { code, out } = await runVerify([file])
    assert.equal(code, 1)
    assert.match(out, /^problem: payload_digest · session .* · invocation .* · seq \d+ · /m)
    assert.doesNotMatch(out, /verified/)
  })

  test('names a deleted row', async () => {
    const { code, out } = await runVerify([
      changed(`DELETE FROM runtime_events WHERE (invocation_id, event_seq) IN ${firstCall}`),
    ])
    assert.equal(code, 1)
    assert.match(out, /^problem: seq_gap · /m)
  })

  test('names two swapped rows', async () => {
    const swap = `
      CREATE TEMP TABLE swapped AS SELECT invocation_id AS i, event_seq AS s FROM ${firstCall};
      UPDATE runtime_events SET event_seq = 1000 WHERE (invocation_id, event_seq) IN (SELECT i, s FROM swapped);
      UPDATE runtime_events SET event_seq = event_seq - 1 WHERE (invocation_id, event_seq) IN (SELECT i, s + 1 FROM swapped);
      UPDATE runtime_events SET event_seq = (SELECT s + 1 FROM swapped) WHERE event_seq = 1000;`
    const { code, out } = await runVerify([changed(swap)])
    assert.equal(code, 1)
    assert.match(out, /^problem: (order_differs|ledger_digest) · /m)
  })

  test('notes a row that was appended after the terminal event, and passes', async () => {
    const database = new DatabaseSync(original, { readOnly: true })
    const query = 'SELECT * FROM runtime_events WHERE terminal = 1 ORDER BY session_seq DESC LIMIT 1'
    const last = database.prepare(query).get() as Record<string, string>
    database.close()
    const {
      status: _status,
      actions: _actions,
      ...event
    } = JSON.parse(last.payload_json ?? '') as Record<string, unknown>
    const { json } = encodeCanonicalRuntimeEvent({
      ...event,
      id: 'late',
      content: { kind: 'text', text: 'too late' },
    })
    const { code, out } = await runVerify([
      changed(`INSERT INTO runtime_events
        (event_id, session_id, invocation_id, run_id, turn_id, event_seq, event_kind, payload_json, committed_at)
        VALUES ('late', '${last.session_id}', '${last.invocation_id}', '${last.run_id}', '${last.turn_id}',
          ${Number(last.event_seq) + 1}, 'text', '${json}', 1)`),
    ])
    assert.match(out, /^note: straggler · /m)
    assert.match(out, /verified: index equals rebuild/)
    assert.equal(code, 0)
  })

  test('gives the report as JSON', async () => {
    const { code, out } = await runVerify([changed(`DELETE FROM runtime_events WHERE event_seq = 2`), '--json'])
    assert.equal(code, 1)
    const report = JSON.parse(out) as { ok: boolean; problems: { code: string }[] }
    assert.equal(report.ok, false)
    assert.ok(report.problems.some((one) => one.code === 'seq_gap'))
  })

  test('refuses what is no ledger, with the code of the error and nothing changed', async () => {
    const root = temporaryFolder({ 'text.txt': 'a text, no database' })
    for (const path of [root, join(root, 'text.txt'), join(root, 'missing'), join(root, 'missing', 'x')]) {
      const { code, out, err } = await runVerify([path])
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, /^(NOT_A_LEDGER|ROOT_UNUSABLE): .*\n$/)
    }
    assert.deepEqual(readdirSync(root), ['text.txt'])
  })
})
