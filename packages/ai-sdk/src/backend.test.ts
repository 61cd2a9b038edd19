import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AgentBackend } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'
import type { ToolSet } from 'ai'
import { z } from 'zod'
import { majors, type Major, type ScriptedModel, type Step } from '../test/majors.ts'
import { call, finish, hangs, openText, streams, text } from '../test/provider-parts.ts'
import { bodies, input, runTurn, session } from '../test/run-turn.ts'
import { assertWholeTurn } from '../test/valid-turn.ts'
import { aiSdkBackend, type AiSdkBackendOptions } from './index.ts'

const inputSchema = z.object({})
const callThenAnswer = [
  streams(call('c1', 'work', {}), finish('tool-calls')),
  streams(...text('1', 'Done'), finish('stop')),
]

interface Built extends ScriptedModel {
  readonly backend: AgentBackend
}

async function build(major: Major, steps: readonly Step[], options: Partial<AiSdkBackendOptions> = {}): Promise<Built> {
  const scripted = major.model(steps)
  const factory = aiSdkBackend({ model: scripted.model, streamText: major.streamText, ...options })
  return { ...scripted, backend: await factory({ sessionId: session.id, session }) }
}

/** Reads to the first event of the type, which is the last read. */
async function readTo(type: SessionEvent['type'], events: AsyncIterator<SessionEvent>): Promise<SessionEvent[]> {
  const read: SessionEvent[] = []
  while (read.at(-1)?.type !== type) {
    const next = await events.next()
    assert.ok(!next.done, `there is a ${type}`)
    read.push(next.value)
  }
  return read
}

async function rest(events: AsyncIterator<SessionEvent>): Promise<SessionEvent[]> {
  const read: SessionEvent[] = []
  for (let next = await events.next(); !next.done; next = await events.next()) read.push(next.value)
  return read
}

for (const major of majors) {
  describe(`aiSdkBackend on ${major.name}`, () => {
    it('aborts the provider and ends at once when it is stopped, even where the stream is silent', async () => {
      const { backend, calls } = await build(major, [hangs(...openText('1', 'Hel'))])
      const events = backend.send(input())[Symbol.asyncIterator]()
      const before = await readTo('text_delta', events)
      const after = rest(events)
      await backend.stop('user_stop')
      const all = [...before, ...(await after)]
      assertWholeTurn(all)
      assert.deepEqual(bodies(all).slice(1), [
        { type: 'text_complete', messageId: 'text-1', text: 'Hel', interrupted: true },
        { type: 'abort', source: 'user_stop' },
      ])
      assert.equal(calls[0]?.abortSignal?.aborted, true)
    })

    it("ends when its caller's signal is aborted", async () => {
      const caller = new AbortController()
      const { backend } = await build(major, [hangs(...openText('1', 'Hel'))])
      const events = backend.send(input({ abortSignal: caller.signal }))[Symbol.asyncIterator]()
      await readTo('text_delta', events)
      caller.abort('consumer_left')
      assert.deepEqual(bodies(await rest(events)).at(-1), { type: 'abort', source: 'consumer_left' })
    })

    it('asks no model when it was stopped before it began', async () => {
      const { backend, calls } = await build(major, [])
      const events = backend.send(input({ abortSignal: AbortSignal.abort() }))[Symbol.asyncIterator]()
      assert.deepEqual(bodies(await rest(events)), [{ type: 'abort' }])
      assert.equal(calls.length, 0)
    })

    it('ends when it is stopped while it waits for its settings, and asks no model later', async () => {
      const { model, calls } = major.model([])
      const picked = Promise.withResolvers<typeof model>()
      const { backend } = await build(major, [], { model: () => picked.promise })
      const events = rest(backend.send(input())[Symbol.asyncIterator]())
      await backend.stop('user_stop')
      assert.deepEqual(bodies(await events), [{ type: 'abort', source: 'user_stop' }])
      picked.resolve(model)
      await sdkReadsAhead()
      assert.equal(calls.length, 0)
    })

    it('says that the outcome of a tool is unknown that still ran when the turn was stopped', async () => {
      const running = Promise.withResolvers<AbortSignal | undefined>()
      const work = {
        inputSchema,
        execute: (_: object, { abortSignal }: { abortSignal?: AbortSignal }): Promise<never> => {
          running.resolve(abortSignal)
          return new Promise(() => {})
        },
      }
      const { backend } = await build(major, callThenAnswer, { tools: { work } as ToolSet })
      const events = backend.send(input())[Symbol.asyncIterator]()
      const before = await readTo('tool_start', events)
      const after = rest(events)
      const signal = await running.promise
      await backend.stop('user_stop')
      const all = [...before, ...(await after)]
      assertWholeTurn(all)
      assert.equal(signal?.aborted, true)
      const result = all.find(({ type }) => type === 'tool_result')
      assert.equal(result?.type === 'tool_result' && result.outcome, 'unknown')
    })

    it('runs a tool only after its call was taken and the next event asked for', async () => {
      let runs = 0
      const work = { inputSchema, execute: async () => (runs += 1) }
      const { backend } = await build(major, callThenAnswer, { tools: { work } as ToolSet })
      const events = backend.send(input())[Symbol.asyncIterator]()
      await readTo('tool_start', events)
      await sdkReadsAhead()
      assert.equal(runs, 0)
      assert.deepEqual(bodies(await rest(events)).at(-1), { type: 'complete', stopReason: 'end_turn' })
      assert.equal(runs, 1)
    })

    it('holds back each call of an id that comes again, whatever became of the calls before', async () => {
      let runs = 0
      const work = { inputSchema, execute: async () => (runs += 1) }
      const steps = [
        streams(call('c1', 'nobody', {}), finish('tool-calls')),
        ...[1, 2].map(() => streams(call('c1', 'work', {}), finish('tool-calls'))),
        streams(...text('1', 'Done'), finish('stop')),
      ]
      const { backend } = await build(major, steps, { tools: { work } as ToolSet })
      const events = backend.send(input())[Symbol.asyncIterator]()
      const runsAtCalls: number[] = []
      for (let next = await events.next(); !next.done; next = await events.next()) {
        if (next.value.type !== 'tool_start') continue
        await sdkReadsAhead()
        runsAtCalls.push(runs)
      }
      assert.deepEqual(runsAtCalls, [0, 0, 1])
      assert.equal(runs, 2)
    })

    it('runs two calls of one id in one step', async () => {
      let runs = 0
      const work = { inputSchema, execute: async () => (runs += 1) }
      const twice = streams(call('c1', 'work', {}), call('c1', 'work', {}), finish('tool-calls'))
      const { events } = await runTurn(major, [twice, streams(...text('1', 'Done'), finish('stop'))], {
        tools: { work } as ToolSet,
      })
      assertWholeTurn(events)
      assert.equal(runs, 2)
    })

    it('runs no tool after its consumer left with the call', async () => {
      let runs = 0
      const work = { inputSchema, execute: async () => (runs += 1) }
      const { backend, calls } = await build(major, callThenAnswer, { tools: { work } as ToolSet })
      for await (const event of backend.send(input())) if (event.type === 'tool_start') break
      await sdkReadsAhead()
      assert.equal(runs, 0)
      assert.equal(calls.length, 1)
      assert.equal(calls[0]?.abortSignal?.aborted, true)
    })

    if (major.pullsFromProvider) {
      it('stops pulling from the provider when its consumer does', async () => {
        let pulled = 0
        const endless: Step = async () =>
          new ReadableStream({
            start: (controller) => controller.enqueue({ type: 'text-start', id: '1' }),
            pull: (controller) => {
              pulled += 1
              controller.enqueue({ type: 'text-delta', id: '1', delta: 'more' })
            },
          })
        const { backend } = await build(major, [endless])
        const events = backend.send(input())[Symbol.asyncIterator]()
        for (let taken = 0; taken < 50; taken += 1) await events.next()
        await sdkReadsAhead()
        assert.ok(pulled < 100, `${pulled} parts were read for 50 events`)
        await events.return?.()
      })
    }

    it('takes the time limit of the SDK for a failure, not for a stop', async () => {
      const silent: Step = ({ abortSignal }) =>
        new Promise((_, reject) => {
          abortSignal?.addEventListener('abort', () => reject(abortSignal.reason as Error))
        })
      const { events } = await runTurn(major, [silent], { settings: { timeout: 5, maxRetries: 0 } })
      assertWholeTurn(events)
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'error' })
    })

    it('fails the turn whose settings fail', async () => {
      const { events } = await runTurn(major, [], {
        model: () => {
          throw new Error('no such model')
        },
      })
      assert.deepEqual(bodies(events), [
        { type: 'error', message: 'no such model' },
        { type: 'complete', stopReason: 'error' },
      ])
    })

    it('says that no model was picked for the session', async () => {
      const { events } = await runTurn(major, [], { model: () => undefined as never })
      const message = 'model must be a model of the AI SDK: its function gave undefined for this session'
      assert.deepEqual(bodies(events)[0], { type: 'error', message, code: 'InvalidInputError' })
    })

    it('picks model, tools, system text and settings for the session', async () => {
      const { model, calls } = major.model([streams(finish('stop'))])
      const { events } = await runTurn(major, [], {
        model: ({ id }) => (id === session.id ? model : 'none'),
        tools: ({ id }) => ({ [id]: { inputSchema } }) as ToolSet,
        system: ({ id }) => `You serve ${id}.`,
        settings: async () => ({ temperature: 0.5 }),
      })
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'end_turn' })
      assert.deepEqual(calls[0]?.prompt[0], { role: 'system', content: 'You serve session-1.' })
      assert.deepEqual(
        calls[0]?.tools?.map(({ name }) => name),
        ['session-1'],
      )
      assert.equal((calls[0] as { temperature?: number }).temperature, 0.5)
    })

    it('refuses answers to a running turn', async () => {
      const { backend } = await build(major, [])
      await assert.rejects(backend.respondToSandboxBoundary({ requestId: 'r', decision: 'approved' }), {
        code: 'UNSUPPORTED',
      })
    })

    it('stops every turn that runs when it is disposed', async () => {
      const { backend } = await build(major, [hangs(), hangs()])
      const turns = [backend.send(input()), backend.send(input())].map((events) => rest(events[Symbol.asyncIterator]()))
      await backend.dispose()
      for (const events of await Promise.all(turns))
        assert.deepEqual(bodies(events), [{ type: 'abort', source: 'disposed' }])
    })
  })
}

describe('aiSdkBackend', () => {
  it('refuses options without a model, and fewer than one step', () => {
    for (const options of [undefined, {}, { model: undefined }, { model: '' }])
      assert.throws(() => aiSdkBackend(options as never), { code: 'INVALID_INPUT', field: 'model' })
    for (const maxSteps of [0, -1, 1.5, '3'])
      assert.throws(() => aiSdkBackend({ model: 'any', maxSteps: maxSteps as number }), { field: 'maxSteps' })
  })
})

/** Lets everything happen that does not wait for the consumer. */
async function sdkReadsAhead(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
