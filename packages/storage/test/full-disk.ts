/**
 * Fills a small disk until writes are refused, frees space, goes on and verifies: `node full-disk.ts FOLDER`, where the
 * folder is the root of a file system of its own of a few MiB.
 */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { append, idsOf, openRun, terminalEvent, textEvent } from '../src/conformance/samples.ts'
import { openSqlite } from '../src/index.ts'

const root = process.argv[2]!
const ballast = join(root, 'ballast')
writeFileSync(ballast, Buffer.alloc(1024 * 1024))

const ids = idsOf('s', 'i')
const storage = openSqlite(root)
await openRun(storage, ids)
const next = (index: number) => append(storage, ids, [textEvent(ids, `e${index}`, 'x'.repeat(10_000))])

let stored = 1
await assert.rejects(
  async () => {
    for (;;) stored += (await next(stored)).length
  },
  { code: 'STORAGE_FULL' },
)
assert.ok(stored > 10)
assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, stored)

rmSync(ballast)
stored += (await next(stored)).length
await append(storage, ids, [terminalEvent(ids)])
storage.close()

const reopened = openSqlite(root)
assert.equal((await reopened.events.readSessionRuntimeEvents('s')).length, stored + 1)
const report = await reopened.events.verifyStore()
assert.deepEqual(report.problems, [])
reopened.close()
console.log(`full after ${stored - 2} appends, went on after space was freed, verified`)
