import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { openFolder } from '../folder/folder.ts'
import { offlineModel } from '../offline/offline-model.ts'
import { terminalScreen } from '../terminal/screen.ts'
import { places } from '../testing/places.ts'
import { newSession, openAgent } from './agent.ts'
import { showTurn } from './show-turn.ts'

describe('a turn that is shown', () => {
  test('is followed to its end where it is approved before it waits', async () => {
    const { dir, ledger } = places()
    const folder = await openFolder(dir, ledger)
    const agent = openAgent(folder, ledger, { model: offlineModel })
    const stream = new PassThrough()
    const screen = terminalScreen(Object.assign(stream, { isTTY: false }) as unknown as NodeJS.WriteStream)
    try {
      const { manager } = agent
      const { id } = await newSession(agent, folder, 'offline-quotes', 'Boats')
      const approve = async (): Promise<void> => {
        const { items } = await manager.listOpenRequests({ sessionId: id })
        const answers = items.map(({ requestId, digest }) => ({ requestId, digest, decision: 'approved' as const }))
        await manager.answerRequests(id, { answers })
      }
      const text = 'How many metres may a boat have? Note it in boats.md'
      const code = await showTurn(agent, id, screen, new AbortController().signal, (show) =>
        manager.startTurn(id, {
          text,
          watch: async (event) => {
            show(event)
            if (event.type === 'sandbox_boundary_request') await approve()
          },
        }),
      )
      assert.equal(code, 0)
      assert.match(stream.read().toString(), /\nyou {4}How many .*\n(?:tool .*\n){3}agent {2}I wrote boats\.md\.\n$/)
    } finally {
      await agent.close()
    }
  })
})
