import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import type { StartedTurn } from '@daybook/runtime/session-manager'
import { approve, asksFor, openRequests } from '../../test/asking-backend.ts'
import { managerOver, openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script, scriptedBackend } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { world } from '../../test/world.ts'

const untilStopped: Script = async function* ({ turnId, abortSignal }) {
  yield eventsOf(turnId).delta('I see')
  await aborted(abortSignal)
  yield eventsOf(turnId).abort('user')
}

async function lastOf({ agentEvents }: OpenedStorage, runId: string): Promise<unknown> {
  const { header, rows } = (await agentEvents.read(runId))!
  return [header.protocolVersion, rows.at(-1)?.event.type]
}

for (const { name, open } of storageKinds) {
  describe(`the version that a client declares, on ${name},`, () => {
    test('says how a run ends that is stopped, and what tries it again inherits it or says another', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, untilStopped)
      const stop = async ({ runId, finished }: StartedTurn): Promise<unknown> => {
        await manager.stopSession(session.id)
        await finished
        return lastOf(storage, runId)
      }
      const { id } = session
      const ends = [
        await stop(await manager.startTurn(id, { text: 'a', protocolVersion: '1.0' })),
        await stop(await manager.retryTurn(id)),
        await stop(await manager.retryTurn(id, { protocolVersion: '0.9' })),
        await stop(await manager.retryTurn(id)),
        await stop(await manager.startTurn(id, { text: 'b' })),
        await stop(await manager.retryTurn(id, { protocolVersion: '1.1' })),
      ]
      assert.deepEqual(ends, [
        ['1.0', 'RUN_FINISHED'],
        ['1.0', 'RUN_FINISHED'],
        ['0.9', 'RUN_ERROR'],
        ['0.9', 'RUN_ERROR'],
        [undefined, 'RUN_ERROR'],
        ['1.1', 'RUN_FINISHED'],
      ])
      await manager.close()
      await dispose()
    })

    for (const [how, declared, version] of [
      ['is inherited', {}, '1.0'],
      ['is what is declared then', { protocolVersion: '0.9' }, '0.9'],
    ] as const) {
      test(`${how} where an answer goes on, also after answers that only were recorded`, async () => {
        const { storage, dispose } = open()
        const { manager, session } = await openManager(storage, asksFor(['a', 'b']))
        await (
          await manager.startTurn(session.id, { text: 'hi', protocolVersion: '1.0' })
        ).finished
        for (const only of [true, false]) {
          const [request] = await openRequests(manager, session.id)
          const answers = [approve(request!)]
          const { turn } = await manager.answerRequests(session.id, { answers, ...declared })
          assert.equal(turn === undefined, only)
          if (turn !== undefined) {
            await turn.finished
            assert.equal((await storage.agentEvents.readHeader(turn.runId))?.protocolVersion, version)
          }
        }
        await manager.close()
        await dispose()
      })

      for (const resume of ['attach', 'rerun'] as const) {
        test(`${how} where continueTurn goes on after a crash, by ${resume}`, async () => {
          const { storage, dispose } = open()
          const backend = scriptedBackend(untilStopped, { capabilities: { resume } })
          const first = await openManager(storage, backend, { processTable: world('1') })
          const { id } = first.session
          const lost = await first.manager.startTurn(id, { text: 'hi', protocolVersion: '1.0' })
          const second = await openManager(storage, backend, { processTable: world('2') })
          await second.manager.recover()
          assert.deepEqual(await lastOf(storage, lost.runId), ['1.0', 'RUN_ERROR'])
          const turn = await second.manager.continueTurn(id, declared)
          await second.manager.stopSession(id)
          const end = version === '1.0' ? 'RUN_FINISHED' : 'RUN_ERROR'
          assert.deepEqual(await lastOf(storage, turn.runId), [version, end])
          await second.manager.close()
          await dispose()
        })
      }
    }

    test('is refused where it is none', async () => {
      const { storage, dispose } = open()
      const manager = managerOver(storage)
      for (const protocolVersion of ['', '1.', 'one', '1'.repeat(10), 1 as never, null as never]) {
        const refusal = { code: 'INVALID_INPUT', field: 'protocolVersion' }
        await assert.rejects(manager.startTurn('s', { text: 'a', protocolVersion }), refusal)
        await assert.rejects(manager.retryTurn('s', { protocolVersion }), refusal)
        await assert.rejects(manager.continueTurn('s', { protocolVersion }), refusal)
        const answers = [{ requestId: 'r', digest: '0'.repeat(64), decision: 'denied' as const }]
        await assert.rejects(manager.answerRequests('s', { answers, protocolVersion }), refusal)
      }
      await manager.close()
      await dispose()
    })
  })
}
