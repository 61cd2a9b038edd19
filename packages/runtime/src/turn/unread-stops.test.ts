import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AgentRunStore, StorageBusyError } from '@daybook/core'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { quiet } from '../../test/until.ts'
import { stopPollMs } from './live-runs.ts'

test('requests to stop that cannot be read are told of once, again after they could be, and passed on then', async () => {
  const { storage, dispose } = storageKinds[0]!.open()
  let isBusy = true
  const runs: AgentRunStore = Object.assign(Object.create(storage.runs) as AgentRunStore, {
    listStopRequests: (owner: Parameters<AgentRunStore['listStopRequests']>[0]) =>
      isBusy ? Promise.reject(new StorageBusyError(5)) : storage.runs.listStopRequests(owner),
  })
  const { manager, session, timers, warnings } = await openManager(
    { ...storage, runs },
    async function* ({ turnId, abortSignal }) {
      yield eventsOf(turnId).text('let me look')
      await aborted(abortSignal)
    },
  )
  const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
  async function poll(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await timers.untilWaiting()
      timers.advance(stopPollMs)
      await quiet()
    }
  }
  const cannotBeRead = 'what other processes stop or answer cannot be read'

  await poll(3)
  assert.deepEqual(warnings, [cannotBeRead])
  isBusy = false
  await poll(2)
  isBusy = true
  await poll(3)
  assert.deepEqual(warnings, [cannotBeRead, cannotBeRead])
  await storage.runs.requestStop({ runId, by: 'somebody' })
  isBusy = false
  await poll(1)
  assert.equal((await finished).ending?.abortSource, 'somebody')
  await manager.close()
  await dispose()
})
