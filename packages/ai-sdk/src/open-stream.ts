import { InvalidInputError, type SessionRecord } from '@daybook/core'
import type { ModelMessage } from '@daybook/core/backend-types'
import {
  type LanguageModel,
  type ModelMessage as SdkMessage,
  streamText as installedStreamText,
  type ToolSet,
} from 'ai'
import { sdkMessages } from './history.ts'
import type { AiSdkBackendOptions, AiSdkSettings, OfSession, StreamText } from './options.ts'
import { permittedTools, type PermittedTools } from './permitted-tools.ts'
import type { StreamPart } from './stream/stream-part.ts'
import type { ToolGate } from './stream/tool-gate.ts'

const defaultMaxSteps = 20

/** What a turn is answered with: the options as they are for its session. */
export interface TurnSetup extends PermittedTools {
  readonly streamText: StreamText
  readonly maxSteps: number
  readonly model: LanguageModel
  readonly system: string | undefined
  readonly settings: AiSdkSettings | undefined
  /** The tools as they were given, whatever the session permits. */
  readonly allTools: ToolSet | undefined
}

/** Rejects where an option of the session fails. */
export async function setUpTurn(options: AiSdkBackendOptions, session: SessionRecord): Promise<TurnSetup> {
  const { maxSteps = defaultMaxSteps, streamText = installedStreamText } = options
  const allTools = await ofSession(options.tools, session)
  const settings = await ofSession(options.settings, session)
  return {
    streamText,
    maxSteps,
    model: await modelOf(options, session),
    system: await ofSession(options.system, session),
    settings,
    allTools,
    ...permittedTools(allTools, (settings as { toolApproval?: unknown } | undefined)?.toolApproval, session),
  }
}

/** Asks the model to go on from the history. */
export async function askModel(
  setup: TurnSetup,
  history: readonly ModelMessage[],
  text: string,
  gate: ToolGate,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<StreamPart>> {
  const { settings, model, system, tools, toolApproval, maxSteps } = setup
  const messages = await sdkMessages(history, tools ?? {})
  return startStream(setup, gate, abortSignal, {
    ...settings,
    model,
    system,
    tools,
    ...(toolApproval ? { toolApproval } : {}),
    messages: [...messages, ...nextOfUser(text, messages)],
    stopWhen: ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= maxSteps,
  })
}

/** Starts `streamText` with these options. Throws where the turn is stopped before. */
export function startStream(
  { streamText }: TurnSetup,
  { callbacks }: ToolGate,
  abortSignal: AbortSignal,
  options: object,
): AsyncIterable<StreamPart> {
  abortSignal.throwIfAborted()
  const result = (streamText as (options: object) => ReturnType<StreamText>)({
    ...options,
    abortSignal,
    // Without it the SDK prints the error with the request's headers; the stream tells of the error too.
    onError: () => undefined,
    ...callbacks,
  })
  return (result.stream ?? result.fullStream) as AsyncIterable<StreamPart>
}

/** A turn that goes on says nothing new, but many models refuse to go on from their own words. */
function nextOfUser(text: string, messages: readonly SdkMessage[]): SdkMessage[] {
  if (text !== '') return [{ role: 'user', content: text }]
  const isInterrupted = messages.at(-1)?.role === 'assistant'
  return isInterrupted ? [{ role: 'user', content: 'You were interrupted. Go on from where you stopped.' }] : []
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
