import type { LanguageModel } from 'ai'
import { nextStep, type Turn } from './next-step.ts'

export type OfflineModel = Extract<LanguageModel, { specificationVersion: 'v3' }>
type Prompt = Parameters<OfflineModel['doStream']>[0]['prompt']
type Generated = Awaited<ReturnType<OfflineModel['doGenerate']>>
type StreamPart =
  Awaited<ReturnType<OfflineModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/**
 * A model that needs no network: it looks for the words of the question with the tools it is given, and quotes what they
 * return. It understands nothing and says so when it finds nothing.
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
  const step = nextStep(turnOf(prompt))
  const content: Generated['content'] =
    'answer' in step
      ? [{ type: 'text', text: step.answer }]
      : step.calls.map(({ tool, input }, index) => ({
          type: 'tool-call',
          // Unique in the conversation: each call makes the prompt longer.
          toolCallId: `call-${prompt.length}-${index}`,
          toolName: tool,
          input: JSON.stringify(input),
        }))
  const finishReason = { unified: 'answer' in step ? 'stop' : 'tool-calls', raw: undefined } as const
  return { content, finishReason, usage, warnings: [] }
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
  const questions = prompt.flatMap((message) =>
    message.role === 'user' ? [message.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')] : [],
  )
  const results = prompt
    .slice(prompt.findLastIndex((message) => message.role === 'user') + 1)
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .flatMap((part) => (part.type === 'tool-result' ? [part] : []))
    .map(({ toolName, output }) => ({ tool: toolName, result: output.type === 'json' ? output.value : undefined }))
  return { question: questions.at(-1) ?? '', earlier: questions.at(-2) ?? '', results }
}
