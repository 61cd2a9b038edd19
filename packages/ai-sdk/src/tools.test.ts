import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { APICallError, type ToolSet } from 'ai'
import { z } from 'zod'
import { majors, type ProviderPart } from '../test/majors.ts'
import { call, finish, openText, rejects, streams, text, thinking } from '../test/provider-parts.ts'
import { bodies, runTurn } from '../test/run-turn.ts'
import { assertWholeTurn } from '../test/valid-turn.ts'

const inputSchema = z.object({ n: z.number() })
const double = { inputSchema, execute: async ({ n }: { n: number }) => n * 2 }
const answer = streams(...text('1', 'Done'), finish('stop'))

for (const major of majors) {
  const run = async (parts: readonly ProviderPart[], tools: object, settings: object = {}) => {
    const turn = await runTurn(major, [streams(...parts, finish('tool-calls')), answer], {
      tools: tools as ToolSet,
      settings: { maxRetries: 0, ...settings },
    })
    assertWholeTurn(turn.events)
    return { ...turn, of: (type: string) => turn.events.filter((event) => event.type === type) }
  }

  describe(`tools on ${major.name}`, () => {
    it('runs the calls of a step side by side and tells results as they come', async () => {
      const second = Promise.withResolvers<void>()
      const work = {
        inputSchema,
        execute: async ({ n }: { n: number }) => {
          if (n === 1) await second.promise
          else second.resolve()
          return n
        },
      }
      const { events, of, calls } = await run([call('c1', 'work', { n: 1 }), call('c2', 'work', { n: 2 })], { work })
      assert.deepEqual(
        bodies(of('tool_result')).map(({ toolCallId }) => toolCallId),
        ['c2', 'c1'],
      )
      assert.deepEqual(
        events.filter(({ type }) => type !== 'text_delta').map(({ type, stepId }) => `${stepId} ${type}`),
        [
          'step-1 tool_start',
          'step-1 tool_start',
          'step-1 tool_result',
          'step-1 tool_result',
          'step-1 token_usage',
          'step-2 text_complete',
          'step-2 token_usage',
          'step-2 complete',
        ],
      )
      assert.deepEqual(
        calls[1]?.prompt.map(({ role }) => role),
        ['user', 'assistant', 'tool'],
      )
    })

    it('shows what a tool yields before its result', async () => {
      const work = {
        inputSchema,
        async *execute() {
          yield 'half'
          yield 'whole'
        },
      }
      const { of } = await run([call('c1', 'work', { n: 1 })], { work })
      assert.deepEqual(bodies(of('tool_result_preview')), [
        { type: 'tool_result_preview', toolCallId: 'c1', result: 'half' },
        { type: 'tool_result_preview', toolCallId: 'c1', result: 'whole' },
      ])
      assert.deepEqual(bodies(of('tool_result')), [
        { type: 'tool_result', toolCallId: 'c1', toolName: 'work', result: 'whole' },
      ])
    })

    it('goes on after a tool that fails, with its message alone', async () => {
      const work = {
        inputSchema,
        execute: () => {
          throw secretError()
        },
      }
      const { of, events } = await run([call('c1', 'work', { n: 1 })], { work })
      assert.deepEqual(bodies(of('tool_result')), [
        { type: 'tool_result', toolCallId: 'c1', toolName: 'work', outcome: 'error', result: 'too many requests' },
      ])
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'end_turn' })
    })

    it('gives null for a tool that returns nothing', async () => {
      const { of } = await run([call('c1', 'work', { n: 1 })], {
        work: { inputSchema, execute: async () => undefined },
      })
      assert.deepEqual(bodies(of('tool_result')), [
        { type: 'tool_result', toolCallId: 'c1', toolName: 'work', result: null },
      ])
    })

    it('answers a call of a tool that does not exist', async () => {
      const { of } = await run([call('c1', 'halve', { n: 1 })], { double })
      const [result] = of('tool_result')
      assert.ok(result?.type === 'tool_result' && result.outcome === 'error')
      assert.match(String(result.result), /unavailable tool 'halve'/)
    })

    it('keeps arguments that are no JSON, and answers their call', async () => {
      const { of } = await run([call('c1', 'double', '{"n": 1')], { double })
      assert.deepEqual(bodies(of('tool_start')), [
        { type: 'tool_start', toolCallId: 'c1', toolName: 'double', args: { unparsed: '{"n": 1' } },
      ])
      const [result] = of('tool_result')
      assert.ok(result?.type === 'tool_result' && result.outcome === 'error')
    })

    it('tells the arguments while the model writes them, under the id of the call', async () => {
      const { of } = await run(
        [
          { type: 'tool-input-start', id: 'c1', toolName: 'double' },
          { type: 'tool-input-delta', id: 'c1', delta: '{"n":' },
          { type: 'tool-input-delta', id: 'c1', delta: '1}' },
          { type: 'tool-input-end', id: 'c1' },
          call('c1', 'double', { n: 1 }),
        ],
        { double },
      )
      assert.deepEqual(bodies(of('tool_input_delta')), [
        { type: 'tool_input_delta', toolCallId: 'c1', toolName: 'double', text: '{"n":' },
        { type: 'tool_input_delta', toolCallId: 'c1', toolName: 'double', text: '1}' },
      ])
      assert.deepEqual(
        bodies(of('tool_start')).map(({ toolCallId }) => toolCallId),
        ['c1'],
      )
    })

    it('tells calls apart whose provider counts anew in each step', async () => {
      const step = streams(call('call_0', 'double', { n: 1 }), finish('tool-calls'))
      const { events } = await runTurn(major, [step, step, answer], { tools: { double } as ToolSet })
      assertWholeTurn(events)
      const started = events.filter(({ type }) => type === 'tool_start')
      assert.equal(new Set(bodies(started).map(({ toolCallId }) => toolCallId)).size, 2)
    })

    it('keeps calls and results that the provider made itself', async () => {
      const { events } = await runTurn(major, [
        streams(
          call('s1', 'web_search', { q: 'x' }, { providerExecuted: true, dynamic: true }),
          {
            type: 'tool-result',
            toolCallId: 's1',
            toolName: 'web_search',
            result: [{ url: 'https://a.example' }],
            dynamic: true,
          },
          call('s2', 'web_search', { q: 'y' }, { providerExecuted: true, dynamic: true }),
          {
            type: 'tool-result',
            toolCallId: 's2',
            toolName: 'web_search',
            result: { errorCode: 'busy' },
            isError: true,
            dynamic: true,
          },
          call('s3', 'web_search', { q: 'z' }, { providerExecuted: true, dynamic: true }),
          finish('stop'),
        ),
      ])
      assertWholeTurn(events)
      const made = { toolName: 'web_search', providerExecuted: true }
      assert.deepEqual(bodies(events.filter(({ type }) => type.startsWith('tool_'))), [
        { type: 'tool_start', toolCallId: 's1', args: { q: 'x' }, ...made },
        { type: 'tool_result', toolCallId: 's1', result: [{ url: 'https://a.example' }], ...made },
        { type: 'tool_start', toolCallId: 's2', args: { q: 'y' }, ...made },
        { type: 'tool_result', toolCallId: 's2', outcome: 'error', result: { errorCode: 'busy' }, ...made },
        { type: 'tool_start', toolCallId: 's3', args: { q: 'z' }, ...made },
        {
          type: 'tool_result',
          toolCallId: 's3',
          outcome: 'unknown',
          result: 'The turn ended while the tool ran.',
          ...made,
        },
      ])
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'end_turn' })
    })

    it('asks a person before a tool that needs it, and ends waiting with the call open', async () => {
      const { events } = await runTurn(major, [streams(call('c1', 'double', { n: 1 }), finish('tool-calls'))], {
        tools: { double: { ...double, needsApproval: true } } as ToolSet,
      })
      assertWholeTurn(events)
      const [request] = events.filter(({ type }) => type === 'sandbox_boundary_request')
      assert.ok(request?.type === 'sandbox_boundary_request')
      assert.equal(request.requestId, 'invocation-1:1')
      assert.equal(request.toolCallId, 'c1')
      assert.deepEqual(request.request, { toolName: 'double', args: { n: 1 } })
      assert.ok(events.every(({ type }) => type !== 'tool_result'))
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'waiting' })
    })

    it('tells thinking and text apart that share a part id, in every step', async () => {
      const signed = { anthropic: { signature: 'S' } }
      const { events } = await runTurn(
        major,
        [
          streams(
            ...thinking('1', 'Hm', signed),
            ...text('1', 'First'),
            call('c1', 'double', { n: 1 }),
            finish('tool-calls'),
          ),
          streams(...thinking('1', 'So', signed), ...openText('1', 'Second'), finish('stop')),
        ],
        { tools: { double } as ToolSet },
      )
      assertWholeTurn(events)
      assert.deepEqual(bodies(events.filter(({ type }) => type.endsWith('_complete'))), [
        { type: 'thinking_complete', messageId: 'thinking-1', text: 'Hm', providerMetadata: signed },
        { type: 'text_complete', messageId: 'text-1', text: 'First' },
        { type: 'thinking_complete', messageId: 'thinking-2', text: 'So', providerMetadata: signed },
        { type: 'text_complete', messageId: 'text-2', text: 'Second', interrupted: true },
      ])
    })

    it('tells no secret of an error to the ledger or to the console', async (t) => {
      const printed = ['error', 'warn', 'log'].map((method) => t.mock.method(console, method as 'log', () => {}))
      const { events } = await runTurn(major, [rejects(secretError())])
      assert.deepEqual(bodies(events), [
        { type: 'error', message: 'too many requests', code: 'http_429' },
        { type: 'complete', stopReason: 'error' },
      ])
      assert.deepEqual(
        printed.flatMap(({ mock }) => mock.calls),
        [],
      )
    })

    it('ends failed, with the call closed, where the SDK cannot send a result on', async () => {
      const { events, of } = await run([call('c1', 'work', { n: 1 })], {
        work: { inputSchema, execute: async () => 10n },
      })
      assert.equal(of('tool_result').length, 1)
      // `ai` 6 hands the BigInt on to the provider.
      assert.deepEqual(bodies(events).at(-1), {
        type: 'complete',
        stopReason: major.name === 'ai 7' ? 'error' : 'end_turn',
      })
    })
  })
}

function secretError(): Error {
  return new APICallError({
    message: 'too many requests',
    url: 'https://api.example/v1?key=SECRET',
    requestBodyValues: { messages: ['SECRET'] },
    statusCode: 429,
    responseHeaders: { 'set-cookie': 'SECRET' },
    responseBody: 'SECRET',
    cause: new Error('SECRET'),
    isRetryable: false,
    data: { authorization: 'SECRET' },
  })
}
