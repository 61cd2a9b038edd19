import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { temporaryRoot } from '../../test/temporary-root.ts'
import { append, idsOf, openRun, sessionRecord, terminalEvent, textEvent, wholeRun } from '../conformance/samples.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../operational-state-store.ts'
import { openSqlite } from './open-sqlite.ts'

const ids = idsOf('s', 'i')
const large = (id: string) => textEvent(ids, id, 'x'.repeat(20_000))

describe('a full file', () => {
  test('refuses what does not fit, keeps the rest, reads on, and works again with more room', async (t) => {
    const root = temporaryRoot(t)
    const full = openSqlite(root, { maxBytes: 400_000 })
    await openRun(full, ids)
    let stored = 1
    const fill = async () => {
      for (;;) stored += (await append(full, ids, [large(`e${stored}`)])).length
    }
    await assert.rejects(fill(), { code: 'STORAGE_FULL', family: 'unavailable' })
    assert.ok(stored > 5)
    await assert.rejects(append(full, ids, [large('other')]), { code: 'STORAGE_FULL' })
    assert.equal((await full.events.readSessionRuntimeEvents('s')).length, stored)
    full.close()
    const storage = openSqlite(root)
    const [again] = await append(storage, ids, [large(`e${stored}`), terminalEvent(ids)])
    assert.deepEqual([again?.eventSeq, again?.duplicate], [stored + 1, false])
    assert.equal((await storage.events.verifyStore()).ok, true)
    storage.close()
  })

  test('fails all that share the transaction and none after it', async (t) => {
    const storage = openSqlite(temporaryRoot(t), { maxBytes: 300_000 })
    await openRun(storage, ids)
    const asked = Array.from({ length: 30 }, (_, index) => append(storage, ids, [large(`e${index}`)]))
    const outcomes = await Promise.allSettled(asked)
    const codes = new Set(outcomes.map((one) => (one.status === 'fulfilled' ? 'stored' : one.reason.code)))
    assert.ok(codes.has('STORAGE_FULL'))
    const stored = outcomes.filter((one) => one.status === 'fulfilled').length
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, stored + 1)
    await append(storage, ids, [textEvent(ids, 'small')])
    storage.close()
  })
})

describe('an I/O error', () => {
  test('is told as such, leaves no half, and the next use has a connection of its own', async (t) => {
    const root = temporaryRoot(t)
    // A limit on the size of the files that the process writes: the system fails the write with EFBIG.
    const script = fileURLToPath(new URL('../../test/limited-process.ts', import.meta.url))
    const node = [process.execPath, '--conditions=@daybook/source', script, root]
    const child = spawn('sh', ['-c', `trap '' XFSZ; ulimit -f 1024; exec "$@"`, 'sh', ...node], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    const { stored, code, read, readAfter, small } = JSON.parse(output)
    assert.equal(code, 'STORAGE_IO')
    assert.ok(stored > 1)
    assert.deepEqual({ read, small, readAfter }, { read: stored, small: 'stored', readAfter: stored + 1 })
    const storage = openSqlite(root)
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, stored + 1)
    assert.equal((await storage.events.verifyStore()).ok, true)
    await append(storage, ids, [large('after it')])
    storage.close()
  })
})

describe('a damaged ledger', () => {
  test('is told as such by whoever reads the row, and others are read', async (t) => {
    const root = temporaryRoot(t)
    const storage = openSqlite(root)
    for (const one of [ids, idsOf('t', 'j')]) await wholeRun(storage, one)
    const other = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
    const damages = ['event_id', 'turn_id', 'run_id', 'payload_json'].map((column) => ({
      damage: `UPDATE runtime_events SET ${column} = ${column} || 'x' WHERE session_id = 's' AND terminal = 1`,
      repair: `UPDATE runtime_events SET ${column} = rtrim(${column}, 'x') WHERE session_id = 's'`,
    }))
    for (const { damage, repair } of damages) {
      other.exec(damage)
      for (const read of [
        storage.events.readSessionRuntimeEvents('s'),
        storage.events.listSessionInvocations('s'),
        storage.events.readRunRuntimeEvents(ids.runId, { after: 2 }),
      ]) {
        await assert.rejects(
          read,
          { code: 'LEDGER_DAMAGED', sessionId: 's', position: 'event 3 of invocation "i"' },
          damage,
        )
      }
      assert.equal((await storage.events.readRunRuntimeEvents(ids.runId, { limit: 2 })).items.length, 2)
      assert.equal((await storage.events.listSessionInvocations('t')).length, 1)
      other.exec(repair)
      assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 3)
    }
    other.close()
    storage.close()
  })

  test('fails an append to it alone, not those beside it', async (t) => {
    const root = temporaryRoot(t)
    const storage = openSqlite(root)
    const sound = idsOf('t', 'j')
    for (const one of [ids, sound]) await openRun(storage, one)
    await append(storage, ids, [textEvent(ids, 'a')])
    const other = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
    other.exec(`UPDATE runtime_heads SET head = 1 WHERE invocation_id = 'i'`)
    const again = [ids, sound].map((one) => append(storage, one, [textEvent(one, 'b')]))
    const outcomes = await Promise.allSettled(again)
    assert.equal(outcomes[0]?.status === 'rejected' && outcomes[0].reason.code, 'LEDGER_DAMAGED')
    assert.equal(outcomes[1]?.status, 'fulfilled')
    other.close()
    storage.close()
  })

  test('is not opened again where it has lost its head', async (t) => {
    const root = temporaryRoot(t)
    const storage = openSqlite(root)
    await openRun(storage, ids)
    const other = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
    other.exec('DELETE FROM runtime_heads; DELETE FROM agent_runs')
    other.close()
    await assert.rejects(openRun(storage, ids), { code: 'RUN_EXISTS', runId: 'i' })
    assert.equal(await storage.runs.readRun(ids.runId), undefined)
    storage.close()
  })

  test('is refused where SQLite itself cannot read it', async (t) => {
    const root = temporaryRoot(t)
    openSqlite(root).close()
    const file = join(root, OPERATIONAL_STATE_DATABASE_NAME)
    writeFileSync(file, readFileSync(file).fill(0xff, 4096))
    assert.throws(() => openSqlite(root), { code: 'LEDGER_DAMAGED', sessionId: null, position: file })
  })
})

describe('another writer', () => {
  test('is waited for as long as allowed, without holding up the event loop', async (t) => {
    const root = temporaryRoot(t)
    const [hasty, patient] = [{ busyTimeoutMs: 150 }, { busyTimeoutMs: 60_000 }].map((one) => openSqlite(root, one))
    assert.ok(hasty !== undefined && patient !== undefined)
    await openRun(patient, ids)
    const other = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
    other.exec('BEGIN IMMEDIATE')
    let turns = 0
    const counting = setInterval(() => (turns += 1), 1)
    t.after(() => clearInterval(counting))
    await assert.rejects(append(hasty, ids, [textEvent(ids, 'a')]), { code: 'STORAGE_BUSY' })
    assert.ok(turns > 0, `${turns} turns`)
    assert.equal((await hasty.events.readSessionRuntimeEvents('s')).length, 1)
    const waiting = append(patient, ids, [textEvent(ids, 'a')])
    setTimeout(() => other.exec('COMMIT'), 20)
    assert.equal((await waiting).length, 1)
    other.close()
    hasty.close()
    patient.close()
  })

  test('is seen: what it wrote is known to the next append', async (t) => {
    const root = temporaryRoot(t)
    const storage = openSqlite(root)
    await openRun(storage, ids)
    await append(storage, ids, [textEvent(ids, 'a')])
    const other = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
    other.exec(`INSERT INTO runtime_events (
      event_id, session_id, invocation_id, run_id, turn_id, event_seq, event_kind, payload_json, committed_at
    ) VALUES ('foreign', 's', 'i', 'run of i', 'turn of i', 3, 'text', '{}', 1)`)
    const [next] = await append(storage, ids, [textEvent(ids, 'b')])
    assert.deepEqual([next?.eventSeq, next?.sessionSeq], [4, 4])
    other.exec(`UPDATE runtime_heads SET epoch = 2`)
    await assert.rejects(append(storage, ids, [textEvent(ids, 'c')]), { code: 'STALE_OWNER' })
    other.close()
    storage.close()
  })
})

describe('another SQLite library in the process', () => {
  test('takes the log away: writes are refused, reading, opening and closing go on', async (t) => {
    const root = temporaryRoot(t)
    const storage = openSqlite(root)
    await openRun(storage, ids)
    const foreign = new DatabaseSync(join(root, OPERATIONAL_STATE_DATABASE_NAME))
    foreign.exec(`INSERT INTO runtime_events (
      event_id, session_id, invocation_id, run_id, turn_id, event_seq, event_kind, payload_json, committed_at
    ) SELECT 'straggler', session_id, invocation_id, run_id, turn_id, 2, 'text', payload_json, 1 FROM runtime_events`)
    foreign.close()
    await assert.rejects(append(storage, ids, [textEvent(ids, 'a')]), { code: 'WAL_REPLACED' })
    await assert.rejects(storage.sessions.create(sessionRecord('t')), { code: 'WAL_REPLACED' })
    assert.equal((await storage.sessions.read('s', { tenant: null }))?.id, 's')
    const joined = openSqlite(root)
    assert.equal((await joined.events.readSessionRuntimeEventsPage('s', { limit: 1 })).items.length, 1)
    joined.close()
    storage.close()
    const reopened = openSqlite(root)
    const rows = await reopened.events.readRunRuntimeEvents(ids.runId, { limit: 1 })
    assert.notEqual(rows.next, null)
    await append(reopened, ids, [textEvent(ids, 'a')])
    reopened.close()
  })
})
