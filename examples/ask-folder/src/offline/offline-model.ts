import type { LanguageModel } from 'ai'
import { nextStep, type Step, type Turn } from './next-step.ts'

export type OfflineModel = Extract<LanguageModel, { specificationVersion: 'v3' }>
type CallOptions = Parameters<OfflineModel['doStream']>[0]
type StreamPart =
  Awaited<ReturnType<OfflineModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never
type GenerateResult = Awaited<ReturnType<OfflineModel['doGenerate']>>

const usage: GenerateResult['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * A model that needs no network: it looks for the words of the question with the tools it is given, and quotes what they
 * return. It understands nothing and says so when it finds nothing.
 */
export const offlineModel: OfflineModel = {
  specificationVersion: 'v3',
  provider: 'daybook-example',
  modelId: 'offline-quotes',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const step = nextStep(turnOf(prompt))
    return {
      content: 'answer' in step ? [{ type: 'text', text: step.answer }] : callsOf(step, prompt.length),
      finishReason: finishOf(step),
      usage,
      warnings: [],
    }
  },
  async doStream({ prompt }) {
    const step = nextStep(turnOf(prompt))
    return { stream: ReadableStream.from(partsOf(step, prompt.length)) }
  },
}

function* partsOf(step: Step, at: number): Generator<StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  if ('answer' in step) {
    yield { type: 'text-start', id: 'answer' }
    for (const delta of step.answer.match(/\S*\s*/g) ?? [])
      if (delta !== '') yield { type: 'text-delta', id: 'answer', delta }
    yield { type: 'text-end', id: 'answer' }
  } else {
    yield* callsOf(step, at)
  }
  yield { type: 'finish', usage, finishReason: finishOf(step) }
}

function callsOf(
  step: Extract<Step, { calls: unknown }>,
  at: number,
): { type: 'tool-call'; toolCallId: string; toolName: string; input: string }[] {
  return step.calls.map(({ tool, input }, index) => ({
    type: 'tool-call',
    // Unique in the conversation: each call makes the prompt longer.
    toolCallId: `call-${at}-${index}`,
    toolName: tool,
    input: JSON.stringify(input),
  }))
}

function finishOf(step: Step): GenerateResult['finishReason'] {
  return { unified: 'answer' in step ? 'stop' : 'tool-calls', raw: undefined }
}

function turnOf(prompt: CallOptions['prompt']): Turn {
  const questions = prompt.flatMap((message) =>
    message.role === 'user' ? [message.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')] : [],
  )
  const asked = prompt.findLastIndex((message) => message.role === 'user')
  const results = prompt
    .slice(asked + 1)
    .flatMap((message) =>
      message.role === 'tool'
        ? message.content.flatMap((part) =>
            part.type === 'tool-result'
              ? [{ tool: part.toolName, result: part.output.type === 'json' ? part.output.value : undefined }]
              : [],
          )
        : [],
    )
  return { question: questions.at(-1) ?? '', earlier: questions.at(-2) ?? '', results }
}
