import type { LanguageModel } from 'ai'
import type { Turn } from './next-step.ts'
import { nextStepOrNote } from './note-step.ts'

export type OfflineModel = Extract<LanguageModel, { specificationVersion: 'v3' }>
type Prompt = Parameters<OfflineModel['doStream']>[0]['prompt']
type Generated = Awaited<ReturnType<OfflineModel['doGenerate']>>
type StreamPart =
  Awaited<ReturnType<OfflineModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/**
 * A model that needs no network: it looks for the words of the question with the tools it is given, and quotes what
 * they return. It understands nothing and says so when it finds nothing that can be an answer.
 */
export const offlineModel: OfflineModel = {
  specificationVersion: 'v3',
  provider: 'daybook-example',
  modelId: 'offline-quotes',
  supportedUrls: {},
  doGenerate: async ({ prompt }) => generated(prompt),
  doStream: async ({ prompt }) => ({ stream: ReadableStream.from(partsOf(generated(prompt))) }),
}

const usage: Generated['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

function generated(prompt: Prompt): Generated {
  const step = nextStepOrNote(turnOf(prompt))
  // Unique in the conversation: each call makes the prompt longer.
  const begin = (at: number) => ({ type: 'tool-call', toolCallId: `call-${prompt.length}-${at}` }) as const
  const content: Generated['content'] =
    typeof step === 'string'
      ? [{ type: 'text', text: step }]
      : step.map(({ toolName, input }, at) => ({ ...begin(at), toolName, input: JSON.stringify(input) }))
  const unified = typeof step === 'string' ? 'stop' : 'tool-calls'
  return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] }
}

function* partsOf({ content, finishReason, usage, warnings }: Generated): Generator<StreamPart> {
  yield { type: 'stream-start', warnings }
  for (const part of content) {
    if (part.type === 'tool-call') yield part
    if (part.type !== 'text') continue
    yield { type: 'text-start', id: 'answer' }
    for (const delta of part.text.match(/\s*\S+\s*/g) ?? []) yield { type: 'text-delta', id: 'answer', delta }
    yield { type: 'text-end', id: 'answer' }
  }
  yield { type: 'finish', usage, finishReason }
}

function turnOf(prompt: Prompt): Turn {
  const asked = prompt.filter((message) => message.role === 'user')
  const texts = asked.map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join(' '))
  const last = prompt.findLastIndex(({ role }) => role === 'user')
  const since = prompt.slice(last + 1).flatMap((message) => (message.role === 'tool' ? message.content : []))
  const results = since.filter((part) => part.type === 'tool-result')
  return { question: texts.at(-1) ?? '', earlier: texts.at(-2) ?? '', results }
}
