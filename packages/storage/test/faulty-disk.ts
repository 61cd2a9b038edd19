/**
 * `node faulty-disk.ts STRACE` lets system calls of a writing process fail, each time from another one on: what was acknowledged is
 * there, in its place, whole batches only; and when the disk works again, so does the ledger, in the same process.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../src/index.ts'
import type { Said } from './faulty-disk-process.ts'

interface Fault {
  readonly call: 'fsync' | 'pwrite64'
  readonly error: 'EIO' | 'ENOSPC'
  /** The calls that fail, as strace counts them. */
  readonly when: string
}

/** The process makes some 45 fsyncs and some 1,000 writes. */
function* faults(): Generator<Fault> {
  for (let from = 1; from <= 40; from += 3) yield { call: 'fsync', error: 'EIO', when: `${from}` }
  for (let from = 2; from <= 40; from += 6) yield { call: 'fsync', error: 'EIO', when: `${from}..${from + 2}` }
  for (let from = 5; from <= 35; from += 10) yield { call: 'fsync', error: 'EIO', when: `${from}+` }
  for (let from = 3; from <= 800; from += 67) yield { call: 'pwrite64', error: 'ENOSPC', when: `${from}..${from + 2}` }
  for (let from = 30; from <= 800; from += 97) yield { call: 'pwrite64', error: 'EIO', when: `${from}` }
  for (let from = 100; from <= 800; from += 300) yield { call: 'pwrite64', error: 'ENOSPC', when: `${from}+` }
}

const strace = process.argv[2]!
const folder = mkdtempSync(join(tmpdir(), 'daybook-faulty-'))
process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache')
const script = join(import.meta.dirname, 'faulty-disk-process.ts')
let [acknowledged, failures, count] = [0, 0, 0]
try {
  for (const fault of faults()) {
    const root = mkdtempSync(join(folder, 'ledger-'))
    const said = write(root, fault)
    acknowledged += await check(root, said, fault)
    failures += said.filter((line) => 'failed' in line).length
    count += 1
    rmSync(root, { recursive: true })
  }
} finally {
  rmSync(folder, { recursive: true })
}
assert.ok(failures > count / 2, `only ${failures} failures were noticed`)
console.log(
  `${count} faults, ${failures} failed requests, ${acknowledged} acknowledged events: all there, in whole batches`,
)

function write(root: string, { call, error, when }: Fault): Said[] {
  const inject = ['-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${when}`]
  const node = [process.execPath, '--conditions=@daybook/source', script, root]
  const { status, signal, stdout, stderr } = spawnSync(strace, [...inject, ...node], { encoding: 'utf8' })
  assert.deepEqual([status, signal], [0, null], `${call} ${error} ${when}\n${stdout.slice(-500)}${stderr}`)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Said)
}

/** Returns how many events were acknowledged. */
async function check(root: string, said: readonly Said[], fault: Fault): Promise<number> {
  const message = JSON.stringify(fault)
  const storage = openSqlite(root)
  const { problems } = await storage.events.verifyStore()
  assert.deepEqual(problems, [], message)
  const found = new Map<string, number>()
  for (const sessionId of ['a', 'b', 'c']) {
    const events = await storage.events.readSessionRuntimeEvents(sessionId)
    const batches = Map.groupBy(
      events.map(({ event }) => event.id).filter((id) => / /.test(id)),
      (id) => id.split(' ')[0],
    )
    for (const batch of batches.values()) assert.equal(batch.length, 2, message)
    for (const { event, eventSeq } of events) found.set(`${event.invocationId}/${event.id}`, eventSeq)
  }
  const acknowledged = said.flatMap((line) => ('acknowledged' in line ? line.acknowledged : []))
  for (const { invocationId, eventId, eventSeq } of acknowledged) {
    assert.equal(found.get(`${invocationId}/${eventId}`), eventSeq, message)
  }
  // A disk that works again: nothing was given up.
  if (!fault.when.endsWith('+'))
    assert.deepEqual([said.some((line) => 'gaveUp' in line), found.size], [false, 3 * 52], message)
  storage.close()
  return acknowledged.length
}
