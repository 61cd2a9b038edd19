import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { SessionManager } from '@daybook/runtime/session-manager'
import { z } from 'zod'
import { openApp } from './app.ts'
import { sends, sendsAndBreaks, startProvider, type ProviderRequest, type Reply } from './provider-server.ts'
import { providers, type Provider } from './providers.ts'

const inputSchema = z.object({ path: z.string() })
const read = { inputSchema, execute: async ({ path }: { path: string }) => `text of ${path}` }
const call = (id: string, path: string) => ({ id, name: 'read', args: JSON.stringify({ path }) })

interface Chain {
  readonly manager: SessionManager
  readonly sessionId: string
  readonly requests: readonly ProviderRequest[]
  /** Sends a message, reads the turn to its end and says how it ended. */
  readonly send: (text: string) => Promise<string | undefined>
}

/** Runs a session on a ledger file against a provider with these replies; in the end the ledger must be sound. */
async function withChain(
  provider: Provider,
  replies: readonly Reply[],
  tools: object,
  use: (chain: Chain) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'daybook-ai-sdk-'))
  const server = await startProvider(...replies)
  const { manager, storage, close } = openApp(root, { provider, url: server.url, tools })
  try {
    const { id: sessionId } = await manager.createSession({ permissionMode: 'ask' })
    const send = async (text: string): Promise<string | undefined> => {
      for await (const _ of manager.sendMessage(sessionId, { text }));
      return (await manager.listInvocations(sessionId)).at(-1)?.terminalEvent?.status
    }
    await use({ manager, sessionId, requests: server.requests, send })
    const report = await storage.events.verifySession(sessionId)
    assert.deepEqual(report.problems, [])
    assert.equal(report.ok, true)
  } finally {
    await close()
    await server.close()
    await rm(root, { recursive: true })
  }
}

for (const provider of providers) {
  describe(`from ${provider.name} to the ledger and back`, () => {
    it('gives the provider the whole of the first turn in the second', async () => {
      const thinking = { text: 'Hm', signature: 'SIGNED' }
      const replies = [
        sends(
          provider.events({
            thinking,
            text: ['I ', 'read.'],
            calls: [call('call_a', 'a'), call('call_b', 'b')],
            end: 'tools',
          }),
        ),
        sends(provider.events({ text: ['Both ', 'read.'], end: 'stop' })),
        sends(provider.events({ text: ['Bye.'], end: 'stop' })),
      ]
      await withChain(provider, replies, { read }, async ({ manager, sessionId, requests, send }) => {
        assert.equal(await send('Read a and b'), 'completed')
        assert.equal(await send('And now?'), 'completed')
        assert.deepEqual(requests[2]?.body.messages, provider.conversation)
        const [first] = await manager.transcript(sessionId)
        assert.equal(first?.usage?.totalTokens, 54)
        assert.deepEqual(
          first?.items.map((item) => [
            item.type,
            'text' in item ? item.text : 'result' in item ? item.result : undefined,
          ]),
          [
            ['thinking', 'Hm'],
            ['text', 'I read.'],
            ['tool_call', 'text of a'],
            ['tool_call', 'text of b'],
            ['text', 'Both read.'],
          ],
        )
      })
    })

    it('goes on after a turn whose socket broke, with the text that came', async () => {
      const replies = [
        sendsAndBreaks(provider.events({ text: ['Hel', 'lo'], end: 'stop' }).slice(0, 3)),
        sends(provider.events({ text: ['Hello again.'], end: 'stop' })),
      ]
      await withChain(provider, replies, {}, async ({ requests, send }) => {
        assert.equal(await send('Say hello'), 'failed')
        assert.equal(await send('Once more'), 'completed')
        assert.match(JSON.stringify(requests[1]?.body.messages), /Say hello.*Hel.*Once more/)
      })
    })

    it('tells the model that no one answered a call that waited for a person', async () => {
      const replies = [
        sends(provider.events({ calls: [call('call_a', 'a')], end: 'tools' })),
        sends(provider.events({ text: ['I see.'], end: 'stop' })),
      ]
      await withChain(provider, replies, { read: { ...read, needsApproval: true } }, async ({ requests, send }) => {
        assert.equal(await send('Read a'), 'waiting')
        assert.equal(await send('Never mind'), 'completed')
        assert.match(JSON.stringify(requests[1]?.body.messages), /call_a.*not answered and the tool did not run/)
      })
    })

    it('tells the model of a tool that was stopped in its work that no one knows whether it ran', async () => {
      const began = Promise.withResolvers<void>()
      const hanging = {
        inputSchema,
        execute: (): Promise<never> => {
          began.resolve()
          return new Promise(() => {})
        },
      }
      const replies = [
        sends(provider.events({ calls: [call('call_a', 'a')], end: 'tools' })),
        sends(provider.events({ text: ['I see.'], end: 'stop' })),
      ]
      await withChain(provider, replies, { read: hanging }, async ({ manager, sessionId, requests, send }) => {
        const turn = send('Read a')
        await began.promise
        await manager.stopSession(sessionId)
        assert.equal(await turn, 'aborted')
        assert.equal(await send('What now?'), 'completed')
        assert.match(
          JSON.stringify(requests[1]?.body.messages),
          /call_a.*It is not known whether the tool ran to its end/,
        )
      })
    })
  })
}
