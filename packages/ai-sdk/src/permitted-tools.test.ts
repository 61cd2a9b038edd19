import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PermissionMode, PermissionRule, SessionRecord } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { ToolSet } from 'ai'
import { z } from 'zod'
import { majors } from '../test/majors.ts'
import { call, finish, streams, text } from '../test/provider-parts.ts'
import { permittedTools } from './permitted-tools.ts'
import { runTurn, session } from '../test/run-turn.ts'
import { assertWholeTurn } from '../test/valid-turn.ts'

const inputSchema = z.object({ n: z.number() })
const answer = streams(...text('1', 'Done'), finish('stop'))
const refusal = 'denied This session does not allow the tool "work".'

function permitting(permissionMode: PermissionMode, ...permissionRules: readonly PermissionRule[]): SessionRecord {
  return { ...session, permissionMode, permissionRules }
}

/** What becomes of a call, in a word. */
function fate(events: readonly SessionEvent[]): string {
  const fates = events.flatMap((event) => {
    if (event.type === 'tool_result') return `${event.outcome ?? 'ok'} ${String(event.result)}`
    return event.type.endsWith('_request') ? event.type : []
  })
  return fates.join(', ')
}

for (const major of majors) {
  /** What becomes of a call of the tool `work` with `n: 1`. */
  const fateOf = async (tool: object, of: SessionRecord, settings: object = {}): Promise<string> => {
    const ran: number[] = []
    const execute = async ({ n }: { n: number }) => {
      ran.push(n)
      return 'ran'
    }
    const { events, calls } = await runTurn(
      major,
      [streams(call('c', 'work', { n: 1 }), finish('tool-calls')), answer],
      { tools: { work: { inputSchema, execute, ...tool } } as ToolSet, settings: settings as never },
      {},
      of,
    )
    assertWholeTurn(events)
    const waits = events.some(({ type }) => type.endsWith('_request'))
    const last = events.at(-1)
    assert.equal(last?.type === 'complete' && last.stopReason, waits ? 'waiting' : 'end_turn')
    assert.equal(calls.length, waits ? 1 : 2)
    assert.deepEqual(ran, fate(events) === 'ok ran' ? [1] : [])
    return fate(events)
  }

  describe(`permissions on ${major.name}`, () => {
    it('follow the mode of the session where the tool needs leave', async () => {
      const ifOdd = { needsApproval: async ({ n }: { n: number }) => n % 2 === 1 }
      for (const tool of [{ needsApproval: true }, ifOdd]) {
        assert.equal(await fateOf(tool, permitting('ask')), 'sandbox_boundary_request')
        assert.equal(await fateOf(tool, permitting('bypass')), 'ok ran')
        assert.equal(await fateOf(tool, permitting('deny')), refusal)
      }
      const ifEven = { needsApproval: ({ n }: { n: number }) => n % 2 === 0 }
      for (const tool of [{}, ifEven]) {
        for (const mode of ['ask', 'bypass', 'deny'] as const)
          assert.equal(await fateOf(tool, permitting(mode)), 'ok ran')
      }
    })

    it('follow the rule that names the tool, whether or not it needs leave', async () => {
      for (const tool of [{ needsApproval: true }, {}]) {
        const ruled = (mode: PermissionMode): Promise<string> => fateOf(tool, permitting('ask', { tool: 'wo*', mode }))
        assert.equal(await ruled('ask'), 'sandbox_boundary_request')
        assert.equal(await ruled('bypass'), 'ok ran')
        assert.equal(await ruled('deny'), refusal)
      }
    })

    it('ask who answers the calls of a tool, or refuse them', async () => {
      const elsewhere = { execute: undefined }
      assert.equal(await fateOf(elsewhere, permitting('ask')), 'user_question_request')
      assert.equal(await fateOf(elsewhere, permitting('bypass')), 'user_question_request')
      assert.equal(await fateOf(elsewhere, permitting('deny')), refusal)
      assert.equal(await fateOf(elsewhere, permitting('ask', { tool: 'work', mode: 'deny' })), refusal)
    })

    it('keep the previews of a tool', async () => {
      const yields = {
        async *execute() {
          yield 'ran half'
          yield 'ran whole'
        },
      }
      const { events } = await runTurn(
        major,
        [streams(call('c', 'work', { n: 1 }), finish('tool-calls')), answer],
        { tools: { work: { inputSchema, needsApproval: true, ...yields } } as ToolSet },
        {},
        permitting('bypass'),
      )
      assert.equal(events.filter(({ type }) => type === 'tool_result_preview').length, 2)
      assert.equal(fate(events), 'ok ran whole')
    })

    it('keep a tool from the model that the provider would run without being held back', async () => {
      const search = {
        type: 'provider',
        isProviderExecuted: true,
        id: 'some.search',
        name: 'search',
        args: {},
        inputSchema,
      }
      const given = async (of: SessionRecord) => {
        const { calls } = await runTurn(major, [answer], { tools: { search } as unknown as ToolSet }, {}, of)
        return calls[0]?.tools?.map(({ name }) => name) ?? []
      }
      for (const mode of ['ask', 'bypass', 'deny'] as const) assert.deepEqual(await given(permitting(mode)), ['search'])
      for (const mode of ['ask', 'deny'] as const)
        assert.deepEqual(await given(permitting('bypass', { tool: '*', mode })), [])
    })

    it('refuse one of two calls in a step, and run the other', async () => {
      const ran: number[] = []
      const work = {
        inputSchema,
        needsApproval: ({ n }: { n: number }) => n === 1,
        execute: async ({ n }: { n: number }) => void ran.push(n),
      }
      const twice = streams(call('c', 'work', { n: 1 }), call('c', 'work', { n: 2 }), finish('tool-calls'))
      const { events } = await runTurn(major, [twice, answer], { tools: { work } as ToolSet }, {}, permitting('deny'))
      assertWholeTurn(events)
      assert.deepEqual(ran, [2])
    })
  })
}

describe('permissions on ai 7', () => {
  const [major] = majors
  assert.equal(major?.name, 'ai 7')

  const fateOf = async (toolApproval: unknown, of: SessionRecord): Promise<string> => {
    const work = { inputSchema, execute: async () => 'ran' }
    const { events } = await runTurn(
      major,
      [streams(call('c', 'work', { n: 1 }), finish('tool-calls')), answer],
      { tools: { work } as ToolSet, settings: { toolApproval } as never },
      {},
      of,
    )
    assertWholeTurn(events)
    return fate(events)
  }

  it('follow the mode where `toolApproval` says that a person must allow a call', async () => {
    const asking = [
      () => 'user-approval',
      { work: 'user-approval' },
      { work: { type: 'user-approval', reason: 'it writes' } },
      { work: async ({ n }: { n: number }) => (n === 1 ? 'user-approval' : undefined) },
    ]
    for (const toolApproval of asking) {
      assert.equal(await fateOf(toolApproval, permitting('ask')), 'sandbox_boundary_request')
      assert.equal(await fateOf(toolApproval, permitting('bypass')), 'ok ran')
      assert.equal(await fateOf(toolApproval, permitting('deny')), refusal)
    }
  })

  it('follow the rule where `toolApproval` lets a call run, and never run what it denies', async () => {
    for (const toolApproval of [() => undefined, { work: 'approved' }, { work: undefined }]) {
      assert.equal(await fateOf(toolApproval, permitting('deny')), 'ok ran')
      assert.equal(await fateOf(toolApproval, permitting('ask', { tool: '*', mode: 'deny' })), refusal)
      assert.equal(
        await fateOf(toolApproval, permitting('deny', { tool: '*', mode: 'ask' })),
        'sandbox_boundary_request',
      )
    }
    const denied = { work: { type: 'denied', reason: 'not here' } }
    assert.equal(await fateOf(denied, permitting('bypass', { tool: '*', mode: 'bypass' })), 'denied not here')
  })
})

describe('a tool that a rule denies', () => {
  it('does not run for who calls it without asking for leave', () => {
    const tools = { work: { inputSchema, execute: () => 'ran' } } as unknown as ToolSet
    const permitted = permittedTools(tools, undefined, permitting('bypass', { tool: 'work', mode: 'deny' })).tools
    assert.throws(() => permitted?.work?.execute?.({ n: 1 }, { toolCallId: 'c' } as never), /does not allow/)
  })
})
