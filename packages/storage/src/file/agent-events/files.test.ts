import assert from 'node:assert/strict'
import fs, { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { headerOf, openLog, seqsOf, stepRow } from '../../conformance/agent-events/samples.ts'
import { temporaryRoot } from '../../../test/temporary-root.ts'
import { createFolderLock } from '../folder-lock.ts'
import { createFileAgentEventStore } from './agent-event-store.ts'

function openStore(t: { after(hook: () => void): void }, folder: string) {
  const store = createFileAgentEventStore(folder, { durability: 'normal' })
  t.after(() => store.close())
  return store
}

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1)

test('a log is a file of its own, a JSON text a line', async (t) => {
  const folder = temporaryRoot(t)
  const store = createFileAgentEventStore(folder)
  t.after(() => store.close())
  await openLog(store, 'a/b', 1)
  await store.append('a/b', stepRow(2, { writeId: 'w', finishedAt: 5 }))
  await store.claim('a/b', 7)
  const [first, ...further] = linesOf(join(folder, 'a%2Fb.jsonl')).map((line) => JSON.parse(line) as { file?: string })
  assert.deepEqual({ ...first, file: '' }, { kind: 'header', file: '', header: headerOf('a/b') })
  assert.deepEqual(further, [
    { kind: 'row', seq: 1, event: stepRow(1).event },
    { kind: 'row', seq: 2, writeId: 'w', finishedAt: 5, event: stepRow(2).event },
    { kind: 'claim', at: 7 },
  ])
})

test('a torn end, wherever it is torn, is no row, and is gone with the next append', async (t) => {
  const folder = temporaryRoot(t)
  const path = join(folder, 'r.jsonl')
  const store = openStore(t, folder)
  await openLog(store, 'r', 1)
  const whole = readFileSync(path)
  await store.append('r', stepRow(2, { finishedAt: 3 }))
  const longer = readFileSync(path)
  const cut = Array.from({ length: longer.length - whole.length - 1 }, (_, index) =>
    longer.subarray(whole.length, whole.length + index + 1),
  )
  const neverWritten = [
    Buffer.alloc(5),
    Buffer.from('\0\0\0\n'),
    Buffer.from('\n'),
    Buffer.from('{"kind":"row"\0\n{"ki'),
  ]
  for (const torn of [...cut, ...neverWritten]) {
    writeFileSync(path, whole)
    const [reader, latecomer] = [openStore(t, folder), openStore(t, folder)]
    assert.equal(await reader.maxSeq('r'), 1)
    appendFileSync(path, torn)
    for (const store of [reader, latecomer]) {
      assert.deepEqual(await seqsOf(store, 'r'), [1])
      assert.equal((await store.readHeader('r'))?.finishedAt, undefined)
    }
    assert.equal(readFileSync(path).length, whole.length + torn.length)
    await reader.append('r', stepRow(2))
    assert.deepEqual(await seqsOf(latecomer, 'r'), [1, 2])
    assert.equal(linesOf(path).length, 3)
  }
})

test('a log that was torn while it was created was never opened', async (t) => {
  const folder = temporaryRoot(t)
  const path = join(folder, 'r.jsonl')
  const store = openStore(t, folder)
  await openLog(store, 'r')
  const whole = readFileSync(path)
  for (const length of [0, 1, 50, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, length))
    assert.equal(await store.readHeader('r'), undefined)
    assert.deepEqual((await store.listRuns({ finished: false, until: 0 })).items, [])
    await assert.rejects(store.append('r', stepRow(1)), { code: 'AGENT_EVENT_LOG_NOT_OPEN' })
    await openLog(store, 'r', 1)
    assert.deepEqual(await seqsOf(store, 'r'), [1])
    await store.remove('r')
  }
})

test('damage before what was acknowledged is told, and keeps nobody from other logs', async (t) => {
  const folder = temporaryRoot(t)
  const store = openStore(t, folder)
  const damages: readonly ((lines: string[]) => string[])[] = [
    (lines) => lines.with(2, '{"kind":'),
    (lines) => lines.toSpliced(2, 1),
    (lines) => lines.toSpliced(2, 0, lines[2]!),
    (lines) => lines.slice(1),
    (lines) => lines.with(2, '{"kind":"row","seq":2}'),
    (lines) => lines.with(0, '{"kind":"header"}'),
    (lines) => lines.with(2, '{"kind":"header","header":{}}'),
  ]
  await openLog(store, 'sound', 1)
  for (const [index, damage] of damages.entries()) {
    const path = join(folder, `r${index}.jsonl`)
    await openLog(store, `r${index}`, 4)
    writeFileSync(path, `${damage(linesOf(path)).join('\n')}\n`)
    const reader = openStore(t, folder)
    await assert.rejects(reader.readPage(`r${index}`), { code: 'LEDGER_DAMAGED' })
    await assert.rejects(reader.append(`r${index}`, stepRow(5)), { code: 'LEDGER_DAMAGED' })
    const { items } = await reader.listRuns({ finished: false, until: 0 })
    assert.deepEqual(
      items.map(({ runId }) => runId),
      ['sound'],
    )
  }
})

test('lines of a kind that newer code writes are passed over', async (t) => {
  const folder = temporaryRoot(t)
  const store = openStore(t, folder)
  await openLog(store, 'r', 1)
  appendFileSync(join(folder, 'r.jsonl'), '{"kind":"newer","value":1}\n')
  await store.append('r', stepRow(2))
  assert.deepEqual(await seqsOf(store, 'r'), [1, 2])
})

test('refuses an id that differs only by case from one that has its file', async (t) => {
  const folder = temporaryRoot(t)
  const store = openStore(t, folder)
  await openLog(store, 'R', 1)
  // What a file system shows that does not tell upper from lower case.
  const path = join(folder, 'r.jsonl')
  writeFileSync(path, readFileSync(join(folder, 'R.jsonl')))
  await assert.rejects(store.writeHeader(headerOf('r')), { code: 'INVALID_ID', field: 'runId' })
  await assert.rejects(store.append('r', stepRow(2)), { code: 'AGENT_EVENT_LOG_NOT_OPEN' })
  assert.equal(await store.read('r'), undefined)
  assert.equal(await store.claim('r', 1), false)
  assert.equal(await store.remove('r'), false)
  assert.equal(existsSync(path), true)
  assert.equal((await store.listRuns({ finished: false, until: 0 })).items.length, 1)
})

test('refuses an id whose file would have too long a name', async (t) => {
  const store = openStore(t, temporaryRoot(t))
  await openLog(store, 'é'.repeat(40), 1)
  for (const runId of ['é'.repeat(42), '/'.repeat(200)]) {
    await assert.rejects(store.writeHeader(headerOf(runId)), { code: 'INVALID_ID', field: 'runId' })
    await assert.rejects(store.readHeader(runId), { code: 'INVALID_ID' })
  }
})

test('reads what was added, never the whole file again', async (t) => {
  const folder = temporaryRoot(t)
  const store = openStore(t, folder)
  await openLog(store, 'r')
  const event = { type: 'TEXT_MESSAGE_CONTENT', delta: 'x'.repeat(100_000) }
  for (let seq = 1; seq <= 130; seq += 1) await store.append('r', { seq, event })
  let bytesRead = 0
  const { readSync } = fs
  const count = (read: typeof readSync) => {
    fs.readSync = read
    syncBuiltinESMExports()
  }
  t.after(() => count(readSync))
  count(((...args: Parameters<typeof readSync>) => {
    const bytes = readSync(...args)
    bytesRead += bytes
    return bytes
  }) as typeof readSync)
  for (let seq = 131; seq <= 140; seq += 1) {
    await store.append('r', stepRow(seq))
    assert.equal(await store.maxSeq('r'), seq)
    assert.equal((await store.readState('r'))!.lastSeq, seq)
    assert.deepEqual((await store.readPage('r', { after: seq - 1 })).items, [stepRow(seq)])
  }
  const { size } = fs.statSync(join(folder, 'r.jsonl'))
  // Forty operations. A page is looked for from at most 63 rows before it.
  assert.ok(bytesRead > 0 && bytesRead < size / 2, `${bytesRead} of ${size} bytes`)
  bytesRead = 0
  await assert.rejects(store.append('r', stepRow(5)), { code: 'AGENT_EVENT_DUPLICATE_SEQ' })
  await store.append('r', stepRow(141))
  assert.ok(bytesRead > 0 && bytesRead < 1000, `${bytesRead} bytes after a conflict`)
})

test('what a trim that was cut short has left is in nobody’s way', async (t) => {
  const folder = temporaryRoot(t)
  const store = openStore(t, folder)
  await openLog(store, 'r', 3)
  writeFileSync(join(folder, 'r.jsonl.new'), '{"kind":"header","file":"x')
  assert.equal((await store.listRuns({ finished: false, until: 0 })).items.length, 1)
  await store.trim('r', 3)
  assert.deepEqual(await seqsOf(store, 'r'), [3])
  assert.equal(existsSync(join(folder, 'r.jsonl.new')), false)
})

test('a writer that waits for others when the store is closed writes nothing, and opens nothing', async (t) => {
  const folder = temporaryRoot(t)
  const [store, other] = [openStore(t, folder), createFolderLock(folder, 0)]
  t.after(() => other.close())
  await openLog(store, 'r', 1)
  const late = await other.hold(() => [store.append('r', stepRow(2))])
  store.close()
  const lock = join(folder, 'daybook.lock')
  rmSync(lock)
  await assert.rejects(late[0]!, { code: 'STORAGE_CLOSED' })
  assert.equal(existsSync(lock), false)
  assert.deepEqual(await seqsOf(openStore(t, folder), 'r'), [1])
})

test('refuses a folder that is not there, and what comes after closing', async (t) => {
  const folder = temporaryRoot(t)
  assert.throws(() => createFileAgentEventStore(join(folder, 'none')), { code: 'ROOT_UNUSABLE' })
  assert.throws(() => createFileAgentEventStore(''), { code: 'INVALID_INPUT' })
  assert.throws(() => createFileAgentEventStore(folder, { durability: 'most' as never }), { code: 'INVALID_INPUT' })
  const store = createFileAgentEventStore(folder)
  await openLog(store, 'r', 1)
  const late = store.append('r', stepRow(2))
  store.close()
  store.close()
  await late
  await assert.rejects(store.append('r', stepRow(3)), { code: 'STORAGE_CLOSED' })
  await assert.rejects(store.readHeader('r'), { code: 'STORAGE_CLOSED' })
})
