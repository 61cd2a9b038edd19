import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApprovedCall, BackendSendInput, ModelMessage, ToolResultPart } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'
import { jsonSchema, type ToolSet } from 'ai'
import { z } from 'zod'
import { majors } from '../test/majors.ts'
import { call, finish, streams, text } from '../test/provider-parts.ts'
import { bodies, input, runTurn, session } from '../test/run-turn.ts'
import { assertWholeTurn } from '../test/valid-turn.ts'
import { aiSdkBackend } from './index.ts'

const inputSchema = z.object({ n: z.number() })
const double = { inputSchema, needsApproval: true, execute: async ({ n }: { n: number }) => n * 2 }
const answer = streams(...text('1', 'Done'), finish('stop'))
const named = (toolCallId: string) => ({ toolCallId, toolName: 'double' })
const said: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'Double' }] }

/** The history of a turn that goes on: calls with `n` as they were made, and what is known of their results. */
function history(calls: Readonly<Record<string, number>>, ...known: readonly ToolResultPart[]): ModelMessage[] {
  const ids = Object.keys(calls)
  const unknown = (id: string) =>
    ({ type: 'tool_result', ...named(id), outcome: 'not_answered', result: null }) as const
  return [
    said,
    { role: 'assistant', parts: ids.map((id) => ({ type: 'tool_call', ...named(id), args: { n: calls[id]! } })) },
    { role: 'tool', parts: ids.map((id) => known.find(({ toolCallId }) => toolCallId === id) ?? unknown(id)) },
  ]
}

function approved(toolCallId: string, args: ApprovedCall['args'], changed: boolean = false): ApprovedCall {
  return { ...named(toolCallId), args, changed }
}

function goesOn(messages: readonly ModelMessage[], ...openCalls: readonly ApprovedCall[]): Partial<BackendSendInput> {
  const continuation = { kind: 'answers', of: 'invocation-0', requests: [], openCalls } as const
  return { text: '', history: messages, continuation }
}

function ofType(events: readonly SessionEvent[], type: SessionEvent['type']): Readonly<Record<string, unknown>>[] {
  return bodies(events.filter((event) => event.type === type))
}

interface Prompted {
  readonly role: string
  readonly content: readonly { readonly input?: unknown; readonly output?: { readonly value: unknown } }[]
}

for (const major of majors) {
  /** Goes on with one approved call of a tool with these members. */
  const goOn = async (tool: object, openCall: ApprovedCall = approved('c', { n: 2 }), settings: object = {}) => {
    const tools = { double: { ...double, ...tool } } as ToolSet
    const { events, calls } = await runTurn(major, [answer], { tools, settings }, goesOn(history({ c: 2 }), openCall))
    assertWholeTurn(events, ['c'])
    assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'end_turn' })
    assert.equal(calls.length, 1)
    const prompt = calls[0]!.prompt as readonly Prompted[]
    assert.deepEqual(
      prompt.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    )
    assert.deepEqual(prompt[1]?.content[0]?.input, { n: 2 })
    const [result, ...more] = ofType(events, 'tool_result')
    assert.deepEqual(more, [])
    return { events, result, told: prompt[2]?.content[0]?.output?.value }
  }

  describe(`asking on ${major.name}`, () => {
    it('numbers its requests after the invocation, and says how long a person has to answer', async () => {
      const { events } = await runTurn(
        major,
        [streams(call('c1', 'double', { n: 1 }), call('c2', 'place', { n: 2 }), finish('tool-calls'))],
        { tools: { double, place: { inputSchema } } as ToolSet, approvalExpiresInMs: 1000 },
      )
      assertWholeTurn(events)
      const asked = bodies(events.filter(({ type }) => type.endsWith('_request')))
      assert.deepEqual(new Set(asked.map(({ requestId }) => requestId)), new Set(['invocation-1:1', 'invocation-1:2']))
      const shown = Object.fromEntries(
        asked.map(({ toolCallId, type, request, question, expiresInMs }) => [
          toolCallId,
          { type, shown: request ?? question, expiresInMs },
        ]),
      )
      assert.deepEqual(shown, {
        c1: {
          type: 'sandbox_boundary_request',
          shown: { toolName: 'double', args: { n: 1 } },
          expiresInMs: 1000,
        },
        c2: {
          type: 'user_question_request',
          shown: { toolName: 'place', args: { n: 2 } },
          expiresInMs: 1000,
        },
      })
    })

    it('asks once about a tool that a person answers and that needs approval as well', async () => {
      const { events } = await runTurn(major, [streams(call('c', 'place', { n: 2 }), finish('tool-calls'))], {
        tools: { place: { inputSchema, needsApproval: true } } as ToolSet,
      })
      assertWholeTurn(events)
      assert.equal(ofType(events, 'sandbox_boundary_request').length, 0)
      assert.equal(ofType(events, 'user_question_request').length, 1)
    })

    it('waits with the result of a call of the same step that needed nobody', async () => {
      const { events } = await runTurn(
        major,
        [streams(call('c1', 'double', { n: 1 }), call('c2', 'free', { n: 2 }), finish('tool-calls'))],
        { tools: { double, free: { ...double, needsApproval: false } } as ToolSet },
      )
      assertWholeTurn(events)
      assert.deepEqual(ofType(events, 'tool_result'), [
        { type: 'tool_result', toolCallId: 'c2', toolName: 'free', result: 4 },
      ])
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'waiting' })
    })
  })

  describe(`going on with answers on ${major.name}`, () => {
    it('runs an approved call and tells the model its result in place of none', async () => {
      const { result, told } = await goOn({})
      assert.deepEqual(result, { type: 'tool_result', ...named('c'), result: 4 })
      assert.equal(told, 4)
    })

    it('gives the tool what the SDK gives, and tells how long it took', async () => {
      const given: Record<string, unknown>[] = []
      const execute = async ({ n }: { n: number }, options: Record<string, unknown>) => {
        given.push(options)
        return n
      }
      const settings = { experimental_context: { user: 1 }, toolsContext: { double: { user: 1 } } }
      const { events } = await goOn({ execute }, undefined, settings)
      const [{ toolCallId, messages, abortSignal, context, experimental_context }, ...more] = given as [
        Record<string, unknown>,
      ]
      assert.deepEqual(more, [])
      assert.equal(toolCallId, 'c')
      assert.deepEqual(messages, [{ role: 'user', content: [{ type: 'text', text: 'Double' }] }])
      assert.ok(abortSignal instanceof AbortSignal)
      assert.deepEqual(context ?? experimental_context, { user: 1 })
      const [result] = events
      assert.ok(result?.type === 'tool_result' && result.durationMs !== undefined)
    })

    it('runs a call with what a person changed, and says so to the model, which sees its call as it made it', async () => {
      const { result, told } = await goOn({}, approved('c', { n: 5 }, true))
      assert.deepEqual(result, {
        type: 'tool_result',
        ...named('c'),
        result: 10,
        providerMetadata: { daybook: { changedArgs: { n: 5 } } },
      })
      assert.equal(told, 'A person changed the arguments of this call to {"n":5}.\n10')
    })

    it('does not run a call whose changed arguments the tool does not take', async () => {
      let runs = 0
      const { result, told } = await goOn({ execute: async () => (runs += 1) }, approved('c', { n: 'five' }, true))
      assert.equal(runs, 0)
      assert.equal(result?.outcome, 'error')
      assert.match(String(told), /A person changed .* to {"n":"five"}\.\n.*Invalid input for tool double/)
    })

    it('does not run a call with other arguments than those that were approved', async () => {
      let runs = 0
      const { result } = await goOn({
        inputSchema: z.object({ n: z.number().transform((n) => n + 1) }),
        execute: async () => (runs += 1),
      })
      assert.equal(runs, 0)
      assert.equal(result?.outcome, 'error')
      assert.match(String(result?.result), /does not take the arguments as they were approved/)
    })

    it('gives the tool what its schema makes of the arguments where the ledger has the same for it', async () => {
      const given: unknown[] = []
      const { result } = await goOn(
        {
          inputSchema: jsonSchema(
            { type: 'object' },
            { validate: (value) => ({ success: true, value: { n: new Date((value as { n: string }).n) } }) },
          ),
          execute: async ({ n }: { n: unknown }) => void given.push(n),
        },
        approved('c', { n: '2026-11-30T00:00:00.000Z' }),
      )
      assert.equal(result?.outcome, undefined)
      assert.deepEqual(given, [new Date('2026-11-30')])
    })

    it('tells the model what the ledger has of a result', async () => {
      const { told } = await goOn({ execute: async () => ({ at: new Date(0), n: -0, nothing: undefined }) })
      assert.deepEqual(told, { at: '1970-01-01T00:00:00.000Z', n: 0 })
    })

    it('shows what an approved tool yields before its result', async () => {
      const { events, result } = await goOn({
        async *execute() {
          yield 'half'
          yield 'whole'
        },
      })
      assert.deepEqual(
        ofType(events, 'tool_result_preview').map((preview) => preview.result),
        ['half', 'whole'],
      )
      assert.equal(result?.result, 'whole')
    })

    it('goes on after an approved tool that fails', async () => {
      const { result, told } = await goOn({
        execute: () => {
          throw new Error('no disk')
        },
      })
      assert.deepEqual(result, { type: 'tool_result', ...named('c'), outcome: 'error', result: 'no disk' })
      assert.equal(told, 'no disk')
    })

    it('goes on where nothing here runs the tool any more', async () => {
      const { result } = await goOn({ execute: undefined })
      assert.equal(result?.outcome, 'error')
      assert.match(String(result?.result), /nothing here runs it any more/)
    })

    it('runs approved calls side by side, and no other call', async () => {
      const second = Promise.withResolvers<void>()
      const ran: number[] = []
      const execute = async ({ n }: { n: number }) => {
        ran.push(n)
        if (n === 1) await second.promise
        else second.resolve()
        return n
      }
      const denied = { type: 'tool_result', ...named('c2'), outcome: 'denied', result: 'not this one' } as const
      const { events, calls } = await runTurn(
        major,
        [answer],
        { tools: { double: { ...double, execute } } as ToolSet },
        goesOn(history({ c1: 1, c2: 2, c3: 3 }, denied), approved('c1', { n: 1 }), approved('c3', { n: 3 })),
      )
      assertWholeTurn(events, ['c1', 'c3'])
      assert.deepEqual(ran, [1, 3])
      assert.deepEqual(
        ofType(events, 'tool_result').map(({ toolCallId }) => toolCallId),
        ['c3', 'c1'],
      )
      const prompt = calls[0]?.prompt as readonly Prompted[]
      assert.deepEqual(
        prompt.at(-1)?.content.map(({ output }) => output?.value),
        [1, 'The call was refused and the tool did not run. not this one', 3],
      )
    })

    it('does not ask the model where it is stopped while an approved tool runs', async () => {
      const running = Promise.withResolvers<AbortSignal | undefined>()
      const execute = (_: object, { abortSignal }: { abortSignal?: AbortSignal }): Promise<never> => {
        running.resolve(abortSignal)
        return new Promise(() => {})
      }
      const { model, calls } = major.model([])
      const tools = { double: { ...double, execute } } as ToolSet
      const backend = await aiSdkBackend({ model, streamText: major.streamText, tools })({
        sessionId: session.id,
        session,
      })
      const sent = input(goesOn(history({ c: 2 }), approved('c', { n: 2 })))
      const events = (async () => {
        const told: SessionEvent[] = []
        for await (const event of backend.send(sent)) told.push(event)
        return told
      })()
      const signal = await running.promise
      await backend.stop('user_stop')
      assertWholeTurn(await events, ['c'])
      assert.deepEqual(bodies(await events), [
        {
          type: 'tool_result',
          ...named('c'),
          outcome: 'unknown',
          result: 'The turn ended while the tool ran.',
        },
        { type: 'abort', source: 'user_stop' },
      ])
      assert.equal(signal?.aborted, true)
      assert.equal(calls.length, 0)
    })

    it('fails, and does not ask the model, where the SDK runs out of time', async () => {
      const execute = (_: object, { abortSignal }: { abortSignal: AbortSignal }): Promise<never> =>
        new Promise((_resolve, reject) =>
          abortSignal.addEventListener('abort', () => reject(abortSignal.reason as Error)),
        )
      const { events, calls } = await runTurn(
        major,
        [],
        { tools: { double: { ...double, execute } } as ToolSet, settings: { timeout: 5 } },
        goesOn(history({ c: 2 }), approved('c', { n: 2 })),
      )
      assertWholeTurn(events, ['c'])
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'error' })
      assert.equal(calls.length, 0)
    })

    it('asks again in its own name, under another call id than what was asked about before', async () => {
      const denied = { type: 'tool_result', ...named('b'), outcome: 'denied', result: null } as const
      const request = { toolCallId: 'b' } as NonNullable<BackendSendInput['continuation']>['requests'][number]
      const { continuation, ...rest } = goesOn(history({ b: 1, c: 2 }, denied), approved('c', { n: 2 }))
      const { events } = await runTurn(
        major,
        [streams(call('b', 'double', { n: 3 }), finish('tool-calls'))],
        { tools: { double } as ToolSet },
        { ...rest, invocationId: 'invocation-2', continuation: { ...continuation!, requests: [request] } },
      )
      assertWholeTurn(events, ['c'])
      const [again] = ofType(events, 'sandbox_boundary_request')
      assert.equal(again?.requestId, 'invocation-2:1')
      assert.notEqual(again?.toolCallId, 'b')
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'waiting' })
    })
  })

  describe(`going on after an interruption on ${major.name}`, () => {
    const prompted = async (messages: readonly ModelMessage[]): Promise<readonly string[]> => {
      const continuation = { kind: 'replay', of: 'invocation-0', requests: [], openCalls: [] } as const
      const { events, calls } = await runTurn(major, [answer], {}, { text: '', history: messages, continuation })
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'end_turn' })
      return calls[0]!.prompt.map(({ role }) => role)
    }

    it('goes on from a result, and after the words of the model with a word of its own', async () => {
      const unknown = { type: 'tool_result', ...named('c'), outcome: 'unknown', result: null } as const
      assert.deepEqual(await prompted(history({ c: 2 }, unknown)), ['user', 'assistant', 'tool'])
      const cut: ModelMessage = { role: 'assistant', parts: [{ type: 'text', text: 'Dou', interrupted: true }] }
      assert.deepEqual(await prompted([said, cut]), ['user', 'assistant', 'user'])
      assert.deepEqual(await prompted([said]), ['user'])
    })
  })
}

describe('aiSdkBackend', () => {
  it('says that it goes on later, from what the ledger has', async () => {
    const { model } = majors[0]!.model([])
    const { capabilities } = await aiSdkBackend({ model })({ sessionId: session.id, session })
    assert.deepEqual(capabilities, { answers: 'later', resume: 'replay' })
  })
})
