import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { openFolder } from '../folder/folder.ts'
import { offlineModel } from '../offline/offline-model.ts'
import { places } from '../testing/places.ts'
import { newSession, openAgent } from './agent.ts'
import { openLedger } from './ledger.ts'

test('a ledger that is opened a day later loses the delivery logs of its runs, and nothing else', async () => {
  const { dir, ledger: path } = places()
  const folder = await openFolder(dir, path)
  const agent = openAgent(folder, path, { model: offlineModel })
  const { id } = await newSession(agent, folder, 'offline-quotes', 'Boats')
  const { runId, finished } = await agent.manager.startTurn(id, { text: 'How many metres may a boat have?' })
  await finished
  const before = await agent.manager.transcript(id)
  assert.notEqual(await agent.storage.agentEvents.readHeader(runId), undefined)
  await agent.close()
  const ledger = openLedger(path, { now: () => Date.now() + 86_400_000 })
  try {
    while ((await ledger.storage.agentEvents.readHeader(runId)) !== undefined) await setImmediate()
    assert.deepEqual(await ledger.manager.transcript(id), before)
  } finally {
    await ledger.close()
  }
})
