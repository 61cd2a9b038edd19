import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelMessage, ToolResultPart } from '@daybook/core/backend-types'
import type { ToolSet } from 'ai'
import { majors } from '../test/majors.ts'
import { finish, streams } from '../test/provider-parts.ts'
import { bodies, runTurn } from '../test/run-turn.ts'
import { sdkMessages, withResults } from './history.ts'

const signed = { anthropic: { signature: 'S' } }

function outcome(more: Partial<ToolResultPart>): ToolResultPart {
  return { type: 'tool_result', toolCallId: 'c', toolName: 'read', outcome: 'ok', result: null, ...more }
}

/** How one result of a tool that this process runs is put to the model. */
async function outputOf(more: Partial<ToolResultPart>, tools: object = {}): Promise<unknown> {
  const history: ModelMessage[] = [
    { role: 'assistant', parts: [{ type: 'tool_call', toolCallId: 'c', toolName: 'read', args: { path: 'a' } }] },
    { role: 'tool', parts: [outcome(more)] },
  ]
  const [, message] = await sdkMessages(history, tools as ToolSet)
  assert.ok(message?.role === 'tool')
  const [part] = message.content
  assert.ok(part?.type === 'tool-result')
  return part.output
}

describe('sdkMessages', () => {
  it('gives back texts, thinking with its signature, files and calls as they were', async () => {
    assert.deepEqual(
      await sdkMessages(
        [
          { role: 'user', parts: [{ type: 'text', text: 'Read a' }] },
          {
            role: 'assistant',
            parts: [
              { type: 'thinking', text: 'Hm', providerMetadata: signed },
              { type: 'text', text: 'I read', providerMetadata: { openai: { itemId: 'i' } } },
              { type: 'file', mediaType: 'image/png', data: 'AAAA' },
              { type: 'tool_call', toolCallId: 'c', toolName: 'read', args: { path: 'a' }, providerMetadata: signed },
            ],
          },
          { role: 'tool', parts: [outcome({ result: { lines: 1 } })] },
        ],
        {},
      ),
      [
        { role: 'user', content: [{ type: 'text', text: 'Read a' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm', providerOptions: signed },
            { type: 'text', text: 'I read', providerOptions: { openai: { itemId: 'i' } } },
            { type: 'file', mediaType: 'image/png', data: 'AAAA' },
            { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: { path: 'a' }, providerOptions: signed },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c', toolName: 'read', output: { type: 'json', value: { lines: 1 } } },
          ],
        },
      ],
    )
  })

  it('leaves out what was cut off or is empty, and a message that has nothing else', async () => {
    assert.deepEqual(
      await sdkMessages(
        [
          {
            role: 'assistant',
            parts: [
              { type: 'thinking', text: 'H', interrupted: true },
              { type: 'text', text: '' },
              { type: 'text', text: 'Hel', interrupted: true },
            ],
          },
          { role: 'assistant', parts: [{ type: 'thinking', text: 'H', interrupted: true }] },
        ],
        {},
      ),
      [{ role: 'assistant', content: [{ type: 'text', text: 'Hel' }] }],
    )
  })

  it('gives a provider back what it ran itself, unless that came to nothing', async () => {
    const made = { toolName: 'web_search', providerExecuted: true } as const
    const call = (toolCallId: string) => ({ type: 'tool_call', toolCallId, args: {}, ...made }) as const
    const [message] = await sdkMessages(
      [
        {
          role: 'assistant',
          parts: [
            call('1'),
            outcome({ toolCallId: '1', result: [], ...made }),
            call('2'),
            outcome({ toolCallId: '2', outcome: 'error', result: { errorCode: 'busy' }, ...made }),
            call('3'),
            outcome({ toolCallId: '3', outcome: 'unknown', ...made }),
          ],
        },
      ],
      {},
    )
    const named = { toolName: 'web_search' }
    assert.deepEqual(message?.content, [
      { type: 'tool-call', toolCallId: '1', input: {}, ...made },
      { type: 'tool-result', toolCallId: '1', output: { type: 'json', value: [] }, ...named },
      { type: 'tool-call', toolCallId: '2', input: {}, ...made },
      { type: 'tool-result', toolCallId: '2', output: { type: 'error-json', value: { errorCode: 'busy' } }, ...named },
    ])
  })

  it('says in words what the model must know of a call without a result', async () => {
    const value = async (more: Partial<ToolResultPart>): Promise<unknown> => {
      const output = (await outputOf(more)) as { type: string; value: unknown }
      assert.equal(output.type, 'error-text')
      return output.value
    }
    assert.equal(await value({ outcome: 'error', result: 'no such file' }), 'no such file')
    assert.equal(await value({ outcome: 'error', result: { code: 1 } }), '{"code":1}')
    for (const result of ['', ' ', null]) assert.equal(await value({ outcome: 'error', result }), 'The tool failed.')
    assert.match(String(await value({ outcome: 'denied', result: 'not now' })), /refused .* did not run\. not now$/)
    assert.match(String(await value({ outcome: 'not_answered' })), /not answered .* did not run\.$/)
    assert.match(String(await value({ outcome: 'unknown' })), /not known .* check before/)
  })

  it('lets the tool say how its result is put to the model', async () => {
    const read = {
      toModelOutput: ({ input, output }: { input: unknown; output: unknown }) => ({
        type: 'text',
        value: JSON.stringify([input, output]),
      }),
    }
    assert.deepEqual(await outputOf({ result: 1 }, { read }), { type: 'text', value: '[{"path":"a"},1]' })
  })

  it('tells the model that a person changed the arguments of a call, before whatever came of it', async () => {
    const providerMetadata = { daybook: { changedArgs: { path: 'b' } } }
    const note = 'A person changed the arguments of this call to {"path":"b"}.'
    const toldOf = (more: Partial<ToolResultPart>, tools?: object) => outputOf({ providerMetadata, ...more }, tools)
    assert.deepEqual(await toldOf({ result: 'text of b' }), { type: 'text', value: `${note}\ntext of b` })
    assert.deepEqual(await toldOf({ result: { lines: 1 } }), { type: 'text', value: `${note}\n{"lines":1}` })
    assert.deepEqual(await toldOf({ outcome: 'error', result: 'no b' }), {
      type: 'error-text',
      value: `${note}\nno b`,
    })
    const read = {
      toModelOutput: ({ input }: { input: unknown }) => ({
        type: 'content',
        value: [{ type: 'text', text: JSON.stringify(input) }],
      }),
    }
    assert.deepEqual(await toldOf({}, { read }), {
      type: 'content',
      value: [
        { type: 'text', text: note },
        { type: 'text', text: '{"path":"b"}' },
      ],
    })
  })

  it('keeps from the provider what only the ledger is to know of a result', async () => {
    const history: ModelMessage[] = [
      { role: 'tool', parts: [outcome({ providerMetadata: { ...signed, daybook: { changedArgs: {} } } })] },
    ]
    const [message] = await sdkMessages(history, {})
    assert.ok(message?.role === 'tool')
    const [part] = message.content
    assert.deepEqual(part?.type === 'tool-result' && part.providerOptions, signed)
  })

  it('goes on with the result as it is where the tool cannot read it any more', async () => {
    const read = {
      toModelOutput: () => {
        throw new TypeError('an older result')
      },
    }
    assert.deepEqual(await outputOf({ result: 'old' }, { read }), { type: 'text', value: 'old' })
  })
})

describe('withResults', () => {
  it('puts results in place of the newest ones of their calls', () => {
    const tool = (...parts: readonly ToolResultPart[]): ModelMessage => ({ role: 'tool', parts })
    const other = outcome({ toolCallId: 'd', outcome: 'denied' })
    assert.deepEqual(
      withResults(
        [tool(outcome({ result: 'old' })), tool(other, outcome({ outcome: 'not_answered' }))],
        [outcome({ result: 'new' })],
      ),
      [tool(outcome({ result: 'old' })), tool(other, outcome({ result: 'new' }))],
    )
  })
})

for (const major of majors) {
  describe(`history on ${major.name}`, () => {
    it('is taken by the SDK and reaches the model before the new message', async () => {
      const history: ModelMessage[] = [
        { role: 'user', parts: [{ type: 'text', text: 'Read a' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'Hm', providerMetadata: signed },
            { type: 'tool_call', toolCallId: 'c', toolName: 'read', args: { path: 'a' } },
          ],
        },
        { role: 'tool', parts: [outcome({ outcome: 'unknown' })] },
      ]
      const { events, calls } = await runTurn(major, [streams(finish('stop'))], {}, { history, text: 'And?' })
      assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'end_turn' })
      const prompt = calls[0]?.prompt as readonly { role: string; content: readonly Record<string, unknown>[] }[]
      assert.deepEqual(
        prompt.map(({ role, content }) => [role, ...content.map(({ type }) => type)]),
        [
          ['user', 'text'],
          ['assistant', 'reasoning', 'tool-call'],
          ['tool', 'tool-result'],
          ['user', 'text'],
        ],
      )
      assert.deepEqual(prompt[1]?.content[0]?.providerOptions, signed)
      assert.equal(prompt[3]?.content[0]?.text, 'And?')
    })
  })
}
