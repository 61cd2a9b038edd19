import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { RequestRecord } from '@daybook/core'
import type { CreateSessionInput, RequestAnswer, SessionManager } from '@daybook/runtime/session-manager'
import { z } from 'zod'
import { type App, openApp } from './app.ts'
import { type ProviderRequest, sends, startProvider } from './provider-server.ts'
import { type Provider, providers, type ToldStep } from './providers.ts'
import type { WireStep } from './wire.ts'

const inputSchema = z.object({ path: z.string() })
const done: WireStep = { text: ['Done.'], end: 'stop' }
const call = (id: string, name: string, path: string) => ({ id, name, args: JSON.stringify({ path }) })
const told = (id: string, name: string, path: string, result: string, failed?: boolean): ToldStep['calls'][number] => ({
  id,
  name,
  args: { path },
  result,
  ...(failed && { failed }),
})
const asking = (...calls: NonNullable<WireStep['calls']>): WireStep => ({
  thinking: { text: 'Hm', signature: 'SIGNED' },
  calls,
  end: 'tools',
})

interface Desk {
  readonly root: string
  readonly sessionId: string
  readonly requests: readonly ProviderRequest[]
  manager: SessionManager
  /** Sends a message and says how its turn ended. */
  send(text: string): Promise<string | undefined>
  /** What is open, as it would be shown. */
  open(): Promise<readonly RequestRecord[]>
  /** Answers one request; says how the turn that goes on ended, where one does. */
  answer(request: RequestRecord, answer: object): Promise<string | undefined>
  /** The paths for which the tools ran, from a file: it is there after any restart. */
  runs(): Promise<readonly string[]>
  /** Closes everything and opens it again. */
  restart(): Promise<void>
  assertTold(index: number, calls: ToldStep['calls'], more?: number): void
}

/** A session whose tools `write` need leave, against a provider that takes these steps; in the end the ledger is sound. */
async function atDesk(
  provider: Provider,
  steps: readonly WireStep[],
  use: (desk: Desk) => Promise<void>,
  { session = {}, execute }: { session?: CreateSessionInput; execute?: () => Promise<unknown> } = {},
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'daybook-ai-sdk-'))
  const server = await startProvider(...steps.map((step) => sends(provider.events(step))))
  const log = join(root, 'runs.log')
  const run = async ({ path }: { path: string }): Promise<unknown> => {
    await appendFile(log, `${path}\n`)
    return execute === undefined ? `did ${path}` : execute()
  }
  const tools = {
    write: { inputSchema, needsApproval: true, execute: run },
    list: { inputSchema, execute: run },
    place: { inputSchema },
  }
  const open = (): App => openApp(root, { provider, url: server.url, tools })
  let app = open()
  try {
    const { id: sessionId } = await app.manager.createSession({ permissionMode: 'ask', ...session })
    const desk: Desk = {
      root,
      sessionId,
      requests: server.requests,
      manager: app.manager,
      send: async (text) => {
        for await (const _ of desk.manager.sendMessage(sessionId, { text }));
        return (await desk.manager.listInvocations(sessionId)).at(-1)?.terminalEvent?.status
      },
      open: async () => (await desk.manager.listOpenRequests({ sessionId })).items,
      answer: async ({ requestId, digest }, answer) => {
        const answers = [{ requestId, digest, ...answer } as RequestAnswer]
        const { turn } = await desk.manager.answerRequests(sessionId, { answers })
        return (await turn?.finished)?.state
      },
      runs: async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(0, -1),
      restart: async () => {
        await app.close()
        app = open()
        desk.manager = app.manager
      },
      assertTold: (index, calls, more = 0) => {
        const messages = server.requests[index]?.body.messages as readonly object[]
        const expected = provider.told({ user: 'Go', thought: 'Hm', calls })
        assert.deepEqual(messages.slice(0, expected.length), expected)
        assert.equal(messages.length, expected.length + more)
      },
    }
    await use(desk)
    const report = await app.storage.events.verifySession(sessionId)
    assert.deepEqual(report.problems, [])
    assert.equal(report.ok, true)
    assert.equal(server.requests.length, steps.length)
  } finally {
    await app.close()
    await server.close()
    await rm(root, { recursive: true })
  }
}

for (const provider of providers) {
  describe(`approvals from ${provider.name}`, () => {
    it('go on once a person approves, also with the arguments as they are, with the result in the place of the call', async () => {
      await atDesk(provider, [asking(call('call_a', 'write', 'a')), done, done], async (desk) => {
        assert.equal(await desk.send('Go'), 'waiting')
        const [request, ...more] = await desk.open()
        assert.deepEqual(more, [])
        assert.deepEqual(request?.payload, { toolName: 'write', args: { path: 'a' } })
        assert.deepEqual(await desk.runs(), [])
        const approved = { decision: 'approved', args: { path: 'a' } }
        assert.equal(await desk.answer(request!, approved), 'completed')
        assert.deepEqual(await desk.runs(), ['a'])
        const step = [told('call_a', 'write', 'a', 'did a')]
        desk.assertTold(1, step)
        assert.equal(await desk.send('And now?'), 'completed')
        desk.assertTold(2, step, 2)
      })
    })

    it('run what a person changed after a restart, and tell it to the model then and later', async () => {
      await atDesk(provider, [asking(call('call_a', 'write', 'a')), done, done], async (desk) => {
        assert.equal(await desk.send('Go'), 'waiting')
        await desk.restart()
        const [request] = await desk.open()
        assert.equal(await desk.answer(request!, { decision: 'approved', args: { path: 'b' } }), 'completed')
        assert.deepEqual(await desk.runs(), ['b'])
        const note = 'A person changed the arguments of this call to {"path":"b"}.'
        const step = [told('call_a', 'write', 'a', `${note}\ndid b`)]
        desk.assertTold(1, step)
        assert.equal(await desk.send('And now?'), 'completed')
        desk.assertTold(2, step, 2)
      })
    })

    it('go on from mixed answers to one step, given one by one, once the last is there', async () => {
      const step = asking(
        call('call_a', 'write', 'a'),
        call('call_b', 'write', 'b'),
        call('call_c', 'place', 'c'),
        call('call_d', 'list', 'd'),
        call('call_e', 'write', 'e'),
      )
      await atDesk(provider, [step, done], async (desk) => {
        assert.equal(await desk.send('Go'), 'waiting')
        assert.deepEqual(await desk.runs(), ['d'])
        const open = new Map((await desk.open()).map((request) => [request.toolCallId, request]))
        assert.deepEqual([...open.keys()].map(String).toSorted(byCodePoint), ['call_a', 'call_b', 'call_c', 'call_e'])
        assert.equal(open.get('call_c')?.kind, 'user_question')
        const denied = { decision: 'denied', reason: 'not b' }
        assert.equal(await desk.answer(open.get('call_b')!, denied), undefined)
        assert.equal(await desk.answer(open.get('call_e')!, { decision: 'approved' }), undefined)
        assert.equal(await desk.answer(open.get('call_c')!, { answer: { at: 'home' } }), undefined)
        assert.deepEqual(await desk.runs(), ['d'])
        assert.equal(await desk.answer(open.get('call_a')!, { decision: 'approved' }), 'completed')
        assert.deepEqual((await desk.runs()).toSorted(byCodePoint), ['a', 'd', 'e'])
        desk.assertTold(1, [
          told('call_a', 'write', 'a', 'did a'),
          told('call_b', 'write', 'b', 'The call was refused and the tool did not run. not b', true),
          told('call_c', 'place', 'c', '{"at":"home"}'),
          told('call_d', 'list', 'd', 'did d'),
          told('call_e', 'write', 'e', 'did e'),
        ])
      })
    })
  })
}

// One of each wire format and of each major: what differs between the others is above.
for (const provider of [providers[0]!, providers[3]!]) {
  describe(`more approvals from ${provider.name}`, () => {
    it('ask again where the model that goes on calls again', async () => {
      const steps = [asking(call('call_a', 'write', 'a')), asking(call('call_b', 'write', 'b')), done]
      await atDesk(provider, steps, async (desk) => {
        assert.equal(await desk.send('Go'), 'waiting')
        const [first] = await desk.open()
        assert.equal(await desk.answer(first!, { decision: 'denied', reason: 'not a' }), 'waiting')
        const [second] = await desk.open()
        assert.notEqual(second?.requestId, first?.requestId)
        assert.equal(await desk.answer(second!, { decision: 'approved' }), 'completed')
        assert.deepEqual(await desk.runs(), ['b'])
        desk.assertTold(
          2,
          [told('call_a', 'write', 'a', 'The call was refused and the tool did not run. not a', true)],
          2,
        )
      })
    })

    it('ask or run as the rules of the session say', async () => {
      const permissionRules = [
        { tool: 'write', mode: 'bypass' },
        { tool: 'l*', mode: 'ask' },
        { tool: 'place', mode: 'deny' },
      ] as const
      const step = asking(call('call_a', 'write', 'a'), call('call_b', 'list', 'b'), call('call_c', 'place', 'c'))
      const ruled = { session: { permissionRules } }
      const use = async (desk: Desk): Promise<void> => {
        assert.equal(await desk.send('Go'), 'waiting')
        assert.deepEqual(await desk.runs(), ['a'])
        const [request, ...more] = await desk.open()
        assert.deepEqual([request?.toolCallId, ...more], ['call_b'])
        assert.equal(await desk.answer(request!, { decision: 'approved' }), 'completed')
        assert.deepEqual(await desk.runs(), ['a', 'b'])
        const refusal = 'The call was refused and the tool did not run. This session does not allow the tool "place".'
        desk.assertTold(1, [
          told('call_a', 'write', 'a', 'did a'),
          told('call_b', 'list', 'b', 'did b'),
          told('call_c', 'place', 'c', refusal, true),
        ])
      }
      await atDesk(provider, [step, done], use, ruled)
    })

    it('say that it is not known what an approved call did that was stopped, and go on from there', async () => {
      const began = Promise.withResolvers<void>()
      const execute = (): Promise<never> => {
        began.resolve()
        return new Promise(() => {})
      }
      const use = async (desk: Desk): Promise<void> => {
        const { sessionId } = desk
        assert.equal(await desk.send('Go'), 'waiting')
        const [request] = await desk.open()
        const goingOn = desk.answer(request!, { decision: 'approved' })
        await began.promise
        await desk.manager.stopSession(sessionId)
        assert.equal(await goingOn, 'aborted')
        const { finished } = await desk.manager.continueTurn(sessionId)
        assert.equal((await finished).state, 'completed')
        assert.deepEqual(await desk.runs(), ['a'])
        const unknown =
          'It is not known whether the tool ran to its end: check before calling it again. The turn ended while the tool ran.'
        desk.assertTold(1, [told('call_a', 'write', 'a', unknown, true)])
      }
      await atDesk(provider, [asking(call('call_a', 'write', 'a')), done], use, { execute })
    })

    it('are given by a process that runs no models, and gone on with by another one', async () => {
      const step = asking(call('call_a', 'write', 'a'), call('call_b', 'write', 'b'))
      await atDesk(provider, [step, done], async (desk) => {
        const { root, sessionId } = desk
        assert.equal(await desk.send('Go'), 'waiting')
        const script = fileURLToPath(new URL('answer-process.ts', import.meta.url))
        const answer = JSON.stringify({ decision: 'approved' })
        const args = ['--conditions=@daybook/source', script, root, sessionId, answer]
        const { stdout } = await promisify(execFile)(process.execPath, args)
        assert.equal(stdout.trim(), '2')
        assert.deepEqual(await desk.runs(), [])
        await desk.restart()
        const { finished } = await desk.manager.continueTurn(sessionId)
        assert.equal((await finished).state, 'completed')
        assert.deepEqual((await desk.runs()).toSorted(byCodePoint), ['a', 'b'])
        desk.assertTold(1, [told('call_a', 'write', 'a', 'did a'), told('call_b', 'write', 'b', 'did b')])
      })
    })
  })
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : 1
}
