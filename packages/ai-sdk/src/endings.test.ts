import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { majors, type Step } from '../test/majors.ts'
import { breaks, call, finish, openText, rejects, streams, text } from '../test/provider-parts.ts'
import { bodies, runTurn } from '../test/run-turn.ts'
import { assertWholeTurn } from '../test/valid-turn.ts'

const inputSchema = z.object({ n: z.number() })
const double = { inputSchema, execute: async ({ n }: { n: number }) => n * 2 }
const doneByClient = { inputSchema }

const usage = {
  type: 'token_usage',
  usage: { inputTokens: 10, outputTokens: 5, reasoningTokens: 2, cachedInputTokens: 4, totalTokens: 15 },
}
const piece = { type: 'text_delta', messageId: 'text-1', text: 'Hel' }
const cutPiece = { type: 'text_complete', messageId: 'text-1', text: 'Hel', interrupted: true }
const started = { type: 'tool_start', toolCallId: 'c1', toolName: 'double', args: { n: 1 } }
const failed = { type: 'complete', stopReason: 'error' }
const error = (message: string, code?: string): object => ({ type: 'error', message, ...(code && { code }) })

interface Ending {
  readonly of: string
  readonly steps: readonly Step[]
  readonly tools?: object
  readonly maxSteps?: number
  readonly events: readonly object[]
}

/** Every way in which a stream of the SDK was seen to end, and what comes of it. */
const endings: readonly Ending[] = [
  {
    of: 'an answer',
    steps: [streams(...text('1', 'Hel', 'lo'), finish('stop'))],
    events: [
      piece,
      { ...piece, text: 'lo' },
      { type: 'text_complete', messageId: 'text-1', text: 'Hello' },
      usage,
      { type: 'complete', stopReason: 'end_turn' },
    ],
  },
  {
    of: "an answer that ended for a reason of the provider's own",
    steps: [streams(...text('1', 'Hel'), finish('other', 'eos'))],
    events: [
      piece,
      { type: 'text_complete', messageId: 'text-1', text: 'Hel' },
      usage,
      { type: 'complete', stopReason: 'end_turn' },
    ],
  },
  {
    of: 'an error of the provider in mid-stream',
    steps: [streams(...openText('1', 'Hel'), { type: 'error', error: new Error('overloaded') }, finish('error'))],
    events: [piece, error('overloaded'), cutPiece, usage, failed],
  },
  {
    of: 'an error that is no Error',
    steps: [streams({ type: 'error', error: 'Odd' }, finish('error'))],
    events: [error('Odd'), usage, failed],
  },
  {
    of: 'an error without a message',
    steps: [streams({ type: 'error', error: {} }, finish('error'))],
    events: [error('it failed without a message'), usage, failed],
  },
  {
    of: 'a finish for an error that was not told',
    steps: [streams(finish('error'))],
    events: [usage, error('the model ended with an error'), failed],
  },
  {
    of: 'a call that the provider refuses',
    steps: [rejects(new Error('no such model'))],
    events: [error('no such model'), failed],
  },
  {
    of: 'a connection that breaks in mid-stream',
    steps: [breaks(new TypeError('terminated'), ...openText('1', 'Hel'))],
    events: [piece, error('terminated', 'TypeError'), cutPiece, failed],
  },
  {
    of: 'a connection that is closed in mid-stream',
    steps: [streams(...openText('1', 'Hel'))],
    events: [piece, cutPiece, error("the model's stream ended before the model had finished"), failed],
  },
  {
    of: 'a connection that is closed before the first word',
    steps: [streams()],
    events: [
      error('No output generated. The model stream ended without a finish chunk.', 'AI_NoOutputGeneratedError'),
      failed,
    ],
  },
  {
    of: 'an answer at the token limit',
    steps: [streams(...text('1', 'Hel'), finish('length'))],
    events: [
      piece,
      { type: 'text_complete', messageId: 'text-1', text: 'Hel' },
      usage,
      { type: 'complete', stopReason: 'max_tokens' },
    ],
  },
  {
    of: 'a conversation that the model cannot hold',
    steps: [streams(finish('length', 'model_context_window_exceeded'))],
    events: [usage, { type: 'complete', stopReason: 'context_limit' }],
  },
  {
    of: 'an answer that a filter stopped',
    steps: [streams(...openText('1', 'Hel'), finish('content-filter'))],
    events: [piece, cutPiece, usage, { type: 'complete', stopReason: 'content_filter' }],
  },
  {
    of: 'a call of a tool that this process does not run',
    steps: [streams(call('c1', 'double', { n: 1 }), finish('tool-calls'))],
    tools: { double: doneByClient },
    events: [
      started,
      {
        type: 'user_question_request',
        requestId: 'invocation-1:1',
        toolCallId: 'c1',
        question: { toolName: 'double', args: { n: 1 } },
      },
      usage,
      { type: 'complete', stopReason: 'waiting' },
    ],
  },
  {
    of: 'a call at the step limit',
    steps: [streams(call('c1', 'double', { n: 1 }), finish('tool-calls'))],
    tools: { double },
    maxSteps: 1,
    events: [
      started,
      { type: 'tool_result', toolCallId: 'c1', toolName: 'double', result: 2 },
      usage,
      { type: 'complete', stopReason: 'step_limit' },
    ],
  },
  {
    of: 'a call that is whole at the token limit, which the SDK then does not run',
    steps: [streams(call('c1', 'double', { n: 1 }), finish('length'))],
    tools: { double },
    events: [
      started,
      usage,
      {
        type: 'tool_result',
        toolCallId: 'c1',
        toolName: 'double',
        outcome: 'error',
        result: 'The tool was not run: the turn ended before.',
      },
      { type: 'complete', stopReason: 'max_tokens' },
    ],
  },
  {
    of: 'an error after a call',
    steps: [streams(call('c1', 'double', { n: 1 }), { type: 'error', error: 'lost' }, finish('error'))],
    tools: { double },
    events: [
      started,
      error('lost'),
      usage,
      {
        type: 'tool_result',
        toolCallId: 'c1',
        toolName: 'double',
        outcome: 'error',
        result: 'The tool was not run: the turn ended before.',
      },
      failed,
    ],
  },
]

for (const major of majors) {
  describe(`a turn on ${major.name}`, () => {
    for (const { of, steps, tools, maxSteps, events: expected } of endings) {
      it(`ends once after ${of}`, async () => {
        const { events } = await runTurn(major, steps, {
          ...(tools && { tools: tools as never }),
          ...(maxSteps && { maxSteps }),
        })
        assertWholeTurn(events)
        assert.deepEqual(bodies(events), expected)
      })
    }
  })
}
