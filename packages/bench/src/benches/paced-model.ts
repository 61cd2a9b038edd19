import type { LanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

export interface Pace {
  readonly parts: number
  readonly everyMs: number
}

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer One> ? One : never

/** A model that answers with a text at this pace, as a network would: whether or not it is read. Each delta is when it was due. */
export function pacedModel(pace: Pace): LanguageModel {
  return new MockLanguageModelV4({ doStream: async () => ({ stream: pacedParts(pace) }) })
}

function pacedParts({ parts, everyMs }: Pace): ReadableStream<Part> {
  const id = 'text'
  return new ReadableStream<Part>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] })
      controller.enqueue({ type: 'text-start', id })
      const started = performance.now()
      let sent = 0
      const send = (): void => {
        for (; sent < parts && due(sent) <= performance.now(); sent += 1)
          controller.enqueue({ type: 'text-delta', id, delta: due(sent).toFixed(2) })
        if (sent < parts) {
          setTimeout(send, Math.max(0, due(sent) - performance.now()))
          return
        }
        controller.enqueue({ type: 'text-end', id })
        controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage })
        controller.close()
      }
      const due = (index: number): number => started + (index + 1) * everyMs
      send()
    },
  })
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
