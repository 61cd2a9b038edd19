import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import { approve, asksFor, openRequests } from '../../test/asking-backend.ts'
import { openManager } from '../../test/open-manager.ts'
import { storageKinds } from '../../test/storages.ts'

for (const { name, open } of storageKinds) {
  test(`on ${name} a run that does not begin with an opening is damage, and is not gone on from`, async () => {
    const { storage, dispose } = open()
    let isDamaged = false
    const events: OpenedStorage['events'] = {
      ...storage.events,
      async readRunRuntimeEvents(...query) {
        const page = await storage.events.readRunRuntimeEvents(...query)
        return isDamaged ? { ...page, items: page.items.slice(1) } : page
      },
    }
    const { manager, session } = await openManager({ ...storage, events }, asksFor(['a']))
    const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
    await finished
    const answers = (await openRequests(manager, session.id)).map((one) => approve(one))
    isDamaged = true
    const damage = { code: 'LEDGER_DAMAGED', sessionId: session.id, position: `run "${runId}"` }
    await assert.rejects(manager.answerRequests(session.id, { answers, continue: false }), damage)
    await assert.rejects(manager.stopSession(session.id), damage)
    isDamaged = false
    assert.equal((await openRequests(manager, session.id)).length, 1)
    await manager.close()
    await dispose()
  })
}
