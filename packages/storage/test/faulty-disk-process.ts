/** Writes to a ledger on a disk that fails at times; see `faulty-disk.ts`. Says on standard output what was acknowledged. */
import { writeSync } from 'node:fs'
import { DaybookError, type OpenedStorage } from '@daybook/core'
import { append, idsOf, openRun, terminalEvent, textEvent } from '../src/conformance/samples.ts'
import { openSqlite } from '../src/index.ts'

/** A line of the output, in JSON. */
export type Said =
  | {
      readonly acknowledged: readonly {
        readonly invocationId: string
        readonly eventId: string
        readonly eventSeq: number
      }[]
    }
  | { readonly failed: string }
  | { readonly gaveUp: true }

const attempts = 8
const runs = ['a', 'b', 'c'].map((name) => idsOf(name, `run ${name}`))

function say(said: Said): void {
  writeSync(1, `${JSON.stringify(said)}\n`)
}

/** What may have been kept is asked for again, under the same ids, until it is acknowledged. */
async function untilItIsKept<Result>(request: () => Promise<Result>, isKept: (code: string) => boolean): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void (await request())
    } catch (error) {
      if (!DaybookError.is(error)) throw error
      if (isKept(error.code)) return
      say({ failed: error.code })
      if (error.family !== 'unavailable') throw error
      if (attempt === attempts) {
        say({ gaveUp: true })
        process.exit()
      }
    }
  }
}

let opened: OpenedStorage | undefined
await untilItIsKept(
  async () => (opened ??= openSqlite(process.argv[2]!)),
  () => false,
)
const storage = opened!
for (const ids of runs) {
  await untilItIsKept(
    () => openRun(storage, ids),
    (code) => code === 'TURN_EXISTS',
  )
}
for (let step = 0; step < 25; step += 1) {
  await Promise.all(
    runs.map((ids) =>
      untilItIsKept(
        async () => {
          const batch = [`${step} first`, `${step} second`].map((id) => textEvent(ids, id, 'x'.repeat(3_000)))
          const { invocationId } = ids
          say({ acknowledged: (await append(storage, ids, batch)).map((event) => ({ invocationId, ...event })) })
        },
        () => false,
      ),
    ),
  )
}
for (const ids of runs)
  await untilItIsKept(
    () => append(storage, ids, [terminalEvent(ids)]),
    () => false,
  )
storage.close()
