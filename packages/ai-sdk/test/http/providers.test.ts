import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionEvent } from '@daybook/core/events'
import type { ToolSet } from 'ai'
import { z } from 'zod'
import { aiSdkBackend } from '../../src/index.ts'
import { bodies, input, session } from '../run-turn.ts'
import { assertWholeTurn } from '../valid-turn.ts'
import { refuses, sends, sendsAndBreaks, sendsAndWaits, startProvider, type Reply } from './provider-server.ts'
import { providers } from './providers.ts'

const tools = {
  read: {
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }: { path: string }) => `text of ${path}`,
  },
} as ToolSet

for (const provider of providers) {
  /** Runs one turn against a server with these replies. */
  const run = async (replies: readonly Reply[], maxRetries = 0) => {
    const server = await startProvider(...replies)
    try {
      const backend = await aiSdkBackend({
        model: provider.model(server.url),
        streamText: provider.streamText,
        tools,
        settings: { maxRetries, maxOutputTokens: 100 },
      })({ sessionId: session.id, session })
      const events: SessionEvent[] = []
      for await (const event of backend.send(input())) events.push(event)
      assertWholeTurn(events)
      assert.doesNotMatch(JSON.stringify(events), /SECRET/)
      return { events, requests: server.requests, last: bodies(events).at(-1) }
    } finally {
      await server.close()
    }
  }
  const ofType = (events: readonly SessionEvent[], type: string) =>
    bodies(events.filter((event) => event.type === type))

  describe(provider.name, () => {
    it('streams an answer and counts its tokens', async () => {
      const { events, last } = await run([sends(provider.events({ text: ['Hel', 'lo'], end: 'stop' }))])
      assert.deepEqual(
        ofType(events, 'text_delta').map(({ text }) => text),
        ['Hel', 'lo'],
      )
      assert.deepEqual(
        ofType(events, 'text_complete').map(({ text }) => text),
        ['Hello'],
      )
      const [usage] = ofType(events, 'token_usage')
      assert.deepEqual(pick(usage?.usage as object, 'inputTokens', 'outputTokens', 'totalTokens'), [20, 7, 27])
      assert.deepEqual(last, { type: 'complete', stopReason: 'end_turn' })
    })

    it('runs parallel calls over several steps and sends their results back', async () => {
      const call = (id: string, path: string) => ({ id, name: 'read', args: JSON.stringify({ path }) })
      const { events, requests, last } = await run([
        sends(provider.events({ text: ['I read.'], calls: [call('call_a', 'a'), call('call_b', 'b')], end: 'tools' })),
        sends(provider.events({ calls: [call('call_c', 'c')], end: 'tools' })),
        sends(provider.events({ text: ['Done.'], end: 'stop' })),
      ])
      assert.deepEqual(last, { type: 'complete', stopReason: 'end_turn' })
      assert.deepEqual(
        ofType(events, 'tool_result').map(({ toolCallId, result }) => [toolCallId, result]),
        [
          ['call_a', 'text of a'],
          ['call_b', 'text of b'],
          ['call_c', 'text of c'],
        ],
      )
      assert.equal(requests.length, 3)
      for (const said of ['call_a', 'call_b', 'call_c', 'text of a', 'text of b', 'text of c']) {
        assert.match(JSON.stringify(requests[2]?.body.messages), new RegExp(said))
      }
      assert.deepEqual(ofType(events, 'token_usage').length, 3)
    })

    it('keeps what was thought, with its signature where there is one', async () => {
      const thinking = { text: 'Hm', signature: 'SIGNED' }
      const { events } = await run([sends(provider.events({ thinking, text: ['Hello'], end: 'stop' }))])
      assert.deepEqual(ofType(events, 'thinking_complete'), [
        {
          type: 'thinking_complete',
          messageId: 'thinking-1',
          text: 'Hm',
          ...(provider.thinking === 'signed' && { providerMetadata: { anthropic: { signature: 'SIGNED' } } }),
        },
      ])
    })

    it('fails with the text so far when the socket breaks', async () => {
      const { events, last } = await run([
        sendsAndBreaks(provider.events({ text: ['Hel', 'lo'], end: 'stop' }).slice(0, 3)),
      ])
      const [complete] = ofType(events, 'text_complete')
      assert.equal(complete?.interrupted, true)
      assert.match(String(complete?.text), /^Hel/)
      assert.equal(ofType(events, 'error').length, 1)
      assert.deepEqual(last, { type: 'complete', stopReason: 'error' })
    })

    it('fails when the connection is closed before the model has finished', async () => {
      const { events, last } = await run([sends(provider.events({ text: ['Hel', 'lo'], end: 'stop' }).slice(0, 3))])
      assert.match(String(ofType(events, 'text_complete')[0]?.text), /^Hel/)
      assert.deepEqual(last, { type: 'complete', stopReason: 'error' })
    })

    it('fails on an error in mid-stream', async () => {
      const begun = provider.events({ text: ['Hel', 'lo'], end: 'stop' }).slice(0, 3)
      const { events, last } = await run([sends([...begun, provider.failure])])
      assert.match(String(ofType(events, 'error')[0]?.message), /Overloaded/)
      assert.deepEqual(last, { type: 'complete', stopReason: 'error' })
    })

    for (const status of [401, 429, 500]) {
      it(`fails on HTTP ${status} and says so`, async () => {
        const { events } = await run([refuses(status, { type: 'error', error: { type: 'e', message: 'Not today' } })])
        assert.deepEqual(bodies(events), [
          { type: 'error', message: 'Not today', code: `http_${status}` },
          { type: 'complete', stopReason: 'error' },
        ])
      })
    }

    it('goes on where a second attempt is answered', async () => {
      const busy = refuses(429, { type: 'error', error: { type: 'e', message: 'Later' } }, { 'retry-after-ms': '1' })
      const { events, requests, last } = await run([busy, sends(provider.events({ text: ['Hello'], end: 'stop' }))], 1)
      assert.equal(requests.length, 2)
      assert.deepEqual(ofType(events, 'error'), [])
      assert.deepEqual(last, { type: 'complete', stopReason: 'end_turn' })
    })

    it('answers a call whose arguments the token limit cut off, and sends that on', async () => {
      const { events, requests, last } = await run([
        sends(provider.events({ calls: [{ id: 'call_a', name: 'read', args: '{"path": "a' }], end: 'length' })),
        sends(provider.events({ text: ['Sorry.'], end: 'stop' })),
      ])
      const [result] = ofType(events, 'tool_result')
      assert.equal(result?.outcome, 'error')
      assert.equal(requests.length, 2)
      assert.match(JSON.stringify(requests[1]?.body.messages), /call_a/)
      assert.deepEqual(last, { type: 'complete', stopReason: 'end_turn' })
    })

    it('closes the connection when it is stopped', async () => {
      const closed = Promise.withResolvers<void>()
      const begun = provider.events({ text: ['Hel', 'lo'], end: 'stop' }).slice(0, 3)
      const server = await startProvider(sendsAndWaits(begun, closed.resolve))
      try {
        const backend = await aiSdkBackend({
          model: provider.model(server.url),
          streamText: provider.streamText,
          settings: { maxOutputTokens: 100 },
        })({ sessionId: session.id, session })
        const events: SessionEvent[] = []
        for await (const event of backend.send(input())) {
          events.push(event)
          if (event.type === 'text_delta') await backend.stop('user_stop')
        }
        assertWholeTurn(events)
        assert.deepEqual(bodies(events).at(-1), { type: 'abort', source: 'user_stop' })
        await closed.promise
      } finally {
        await server.close()
      }
    })
  })
}

function pick(from: object | undefined, ...keys: readonly string[]): unknown[] {
  return keys.map((key) => (from as Record<string, unknown> | undefined)?.[key])
}
