import { createAnthropic as anthropic7 } from '@ai-sdk/anthropic'
import { createOpenAICompatible as openai7 } from '@ai-sdk/openai-compatible'
import { streamText as streamText7, type LanguageModel } from 'ai'
import { streamText as streamText6 } from 'ai-v6'
import { createAnthropic as anthropic6 } from 'anthropic-v6'
import { createOpenAICompatible as openai6 } from 'openai-compatible-v6'
import type { StreamText } from '../../src/index.ts'
import { anthropicEvents, openAiEvents, type WireStep } from './wire.ts'

/** A real provider of one major of the SDK, and what its servers stream. */
export interface Provider {
  readonly name: string
  readonly streamText: StreamText
  model(url: string): LanguageModel
  events(step: WireStep): string[]
  /** What its servers stream when they fail in mid-stream. */
  readonly failure: string
  readonly thinking: 'signed' | 'plain'
  /** How it is asked after a turn that thought, called two tools side by side and answered. */
  readonly conversation: readonly object[]
  /** How it is told of a step that thought, called tools and has their results. */
  told(step: ToldStep): readonly object[]
}

/** What a provider is told again of one step of a turn. */
export interface ToldStep {
  readonly user: string
  readonly thought: string
  readonly calls: readonly {
    readonly id: string
    readonly name: string
    readonly args: object
    readonly result: string
    /** There is no result; the text says why. */
    readonly failed?: boolean
  }[]
}

const apiKey = 'SECRET-KEY'
const openAi = {
  events: openAiEvents,
  failure: `data: ${JSON.stringify({ error: { message: 'Overloaded', type: 'server_error', code: 503 } })}\n\n`,
  thinking: 'plain',
  conversation: [
    { role: 'user', content: 'Read a and b' },
    {
      role: 'assistant',
      content: 'I read.',
      reasoning_content: 'Hm',
      tool_calls: [openAiCall('call_a', 'a'), openAiCall('call_b', 'b')],
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'text of a' },
    { role: 'tool', tool_call_id: 'call_b', content: 'text of b' },
    { role: 'assistant', content: 'Both read.' },
    { role: 'user', content: 'And now?' },
  ],
  told: ({ user, thought, calls }: ToldStep) => [
    { role: 'user', content: user },
    {
      role: 'assistant',
      content: null,
      reasoning_content: thought,
      tool_calls: calls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    },
    ...calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
  ],
} as const
const anthropic = {
  events: anthropicEvents,
  failure: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })}\n\n`,
  thinking: 'signed',
  conversation: [
    { role: 'user', content: [{ type: 'text', text: 'Read a and b' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'SIGNED' },
        { type: 'text', text: 'I read.' },
        { type: 'tool_use', id: 'call_a', name: 'read', input: { path: 'a' } },
        { type: 'tool_use', id: 'call_b', name: 'read', input: { path: 'b' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_a', content: 'text of a' },
        { type: 'tool_result', tool_use_id: 'call_b', content: 'text of b' },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Both read.' }] },
    { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
  ],
  told: ({ user, thought, calls }: ToldStep) => [
    { role: 'user', content: [{ type: 'text', text: user }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: thought, signature: 'SIGNED' },
        ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
      ],
    },
    {
      role: 'user',
      content: calls.map(({ id, result, failed }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: result,
        ...(failed && { is_error: true }),
      })),
    },
  ],
} as const

export const providers: readonly Provider[] = [
  {
    name: 'openai-compatible on ai 7',
    streamText: streamText7,
    model: (baseURL) => openai7({ name: 'local', baseURL, apiKey, includeUsage: true })('m'),
    ...openAi,
  },
  {
    name: 'openai-compatible on ai 6',
    streamText: streamText6,
    model: (baseURL) => openai6({ name: 'local', baseURL, apiKey, includeUsage: true })('m'),
    ...openAi,
  },
  {
    name: 'anthropic on ai 7',
    streamText: streamText7,
    model: (baseURL) => anthropic7({ baseURL, apiKey })('m'),
    ...anthropic,
  },
  {
    name: 'anthropic on ai 6',
    streamText: streamText6,
    model: (baseURL) => anthropic6({ baseURL, apiKey })('m'),
    ...anthropic,
  },
]

function openAiCall(id: string, path: string): object {
  return { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } }
}
