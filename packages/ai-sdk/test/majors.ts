import { MockLanguageModelV3 } from 'ai-v6/test'
import { MockLanguageModelV4 } from 'ai/test'
import { streamText as streamText6 } from 'ai-v6'
import { streamText as streamText7, type LanguageModel } from 'ai'
import type { StreamText } from '../src/index.ts'

/** What a provider streams, in the shape that the model interfaces of both majors share. */
export interface ProviderPart {
  readonly type: string
  readonly [field: string]: unknown
}

/** What the SDK asks of a model in one call. */
export interface ModelCall {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly { readonly name: string }[]
  readonly abortSignal?: AbortSignal
}

/** Answers one model call. */
export type Step = (call: ModelCall) => Promise<ReadableStream<ProviderPart>>

export interface ScriptedModel {
  readonly model: LanguageModel
  /** What the model was asked, one a call. */
  readonly calls: ModelCall[]
}

/** A major version of the SDK that every test of the backend runs on. */
export interface Major {
  readonly name: string
  readonly streamText: StreamText
  /** `ai` 6 reads the provider as fast as it sends, whatever its own consumer does. */
  readonly pullsFromProvider: boolean
  /** A model that answers its calls with these steps, in order. */
  model(steps: readonly Step[]): ScriptedModel
}

export const majors: readonly Major[] = [
  {
    name: 'ai 7',
    streamText: streamText7,
    pullsFromProvider: true,
    model: (steps) => scripted(MockLanguageModelV4, steps),
  },
  {
    name: 'ai 6',
    streamText: streamText6,
    pullsFromProvider: false,
    model: (steps) => scripted(MockLanguageModelV3, steps),
  },
]

function scripted(
  Mock: typeof MockLanguageModelV3 | typeof MockLanguageModelV4,
  steps: readonly Step[],
): ScriptedModel {
  const calls: ModelCall[] = []
  const doStream = async (call: ModelCall): Promise<{ stream: ReadableStream<ProviderPart> }> => {
    calls.push(call)
    const step = steps[calls.length - 1]
    if (step === undefined) throw new Error(`the model was called ${calls.length} times`)
    return { stream: await step(call) }
  }
  return { model: new Mock({ doStream: doStream as never }), calls }
}
