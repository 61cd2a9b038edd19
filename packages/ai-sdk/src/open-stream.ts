import { InvalidInputError, type SessionRecord } from '@daybook/core'
import type { BackendSendInput } from '@daybook/core/backend-types'
import { type LanguageModel, streamText as installedStreamText } from 'ai'
import { sdkMessages } from './history.ts'
import type { AiSdkBackendOptions, OfSession, StreamText } from './options.ts'
import type { StreamPart } from './stream/stream-part.ts'
import type { ToolGate } from './stream/tool-gate.ts'

const defaultMaxSteps = 20

/** Asks the model. Rejects where an option of the session fails, or the turn is stopped before the model is asked. */
export async function openStream(
  options: AiSdkBackendOptions,
  session: SessionRecord,
  { history, text }: BackendSendInput,
  { callbacks }: ToolGate,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<StreamPart>> {
  const { maxSteps = defaultMaxSteps, streamText = installedStreamText } = options
  const tools = await ofSession(options.tools, session)
  const call = {
    ...(await ofSession(options.settings, session)),
    model: await modelOf(options, session),
    system: await ofSession(options.system, session),
    tools,
    messages: [...(await sdkMessages(history, tools ?? {})), { role: 'user', content: text }],
    abortSignal,
    stopWhen: ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= maxSteps,
    // Without it the SDK prints the error with the request's headers; the stream tells of the error too.
    onError: () => undefined,
    ...callbacks,
  }
  abortSignal.throwIfAborted()
  const result = (streamText as (options: object) => ReturnType<StreamText>)(call)
  return (result.stream ?? result.fullStream) as AsyncIterable<StreamPart>
}

async function modelOf({ model }: AiSdkBackendOptions, session: SessionRecord): Promise<LanguageModel> {
  const picked: LanguageModel | undefined = await ofSession(model, session)
  if (picked) return picked
  throw new InvalidInputError(
    'model',
    `must be a model of the AI SDK: its function gave ${String(picked)} for this session`,
  )
}

function ofSession<T>(value: OfSession<T>, session: SessionRecord): T | Promise<T> {
  return typeof value === 'function' ? (value as (session: SessionRecord) => T | Promise<T>)(session) : value
}
