/** Writes until the system refuses to let its files grow; see `failures.test.ts`. */
import { append, idsOf, openRun, textEvent } from '../src/conformance/samples.ts'
import { openSqlite } from '../src/index.ts'

const ids = idsOf('s', 'i')
const storage = openSqlite(process.argv[2]!)
await openRun(storage, ids)
let stored = 1
let code: unknown
while (code === undefined) {
  await append(storage, ids, [textEvent(ids, `e${stored}`, 'x'.repeat(20_000))]).then(
    () => (stored += 1),
    (error) => (code = error.code),
  )
}
const read = (await storage.events.readSessionRuntimeEvents('s')).length
const small = await append(storage, ids, [textEvent(ids, 'small')]).then(
  () => 'stored',
  (error) => error.code,
)
const readAfter = (await storage.events.readSessionRuntimeEvents('s')).length
storage.close()
console.log(JSON.stringify({ stored, code, read, readAfter, small }))
