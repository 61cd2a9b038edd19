import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import { approve, asksFor, openRequests } from '../../test/asking-backend.ts'
import { openManager } from '../../test/open-manager.ts'
import { storageKinds } from '../../test/storages.ts'

for (const { name, open } of storageKinds) {
  test(`on ${name} many answers at once to one turn cost one opening each, and the last goes on`, async () => {
    const { storage, dispose } = open()
    let openings = 0
    const runs: OpenedStorage['runs'] = {
      ...storage.runs,
      openRun: (request) => (openings++, storage.runs.openRun(request)),
    }
    const calls = Array.from({ length: 12 }, (_, index) => `call ${index}`)
    const { manager, session } = await openManager({ ...storage, runs }, asksFor(calls))
    await (
      await manager.startTurn(session.id, { text: 'hi' })
    ).finished
    const requests = await openRequests(manager, session.id)
    openings = 0
    const answered = await Promise.all(
      [...requests, requests[0]!].map((one) =>
        manager.answerRequests(session.id, { answers: [approve(one)] }).catch((error) => error as { code: string }),
      ),
    )
    const turns = answered.flatMap((one) => ('turn' in one && one.turn ? [one.turn] : []))
    assert.deepEqual([openings, turns.length], [calls.length, 1])
    assert.equal(answered.filter((one) => 'code' in one && one.code === 'REQUEST_CLOSED').length, 1)
    assert.equal((await turns[0]!.finished).state, 'completed')
    await manager.close()
    await dispose()
  })
}
