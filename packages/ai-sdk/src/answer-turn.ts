import type { SessionRecord } from '@daybook/core'
import type { BackendSendInput } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'
import { streamText as installedStreamText } from 'ai'
import { sdkMessages } from './history.ts'
import type { AiSdkBackendOptions, OfSession, StreamText } from './options.ts'
import { createPartFold } from './stream/part-fold.ts'
import type { StreamPart } from './stream/stream-part.ts'
import { createToolGate, type ToolGate } from './stream/tool-gate.ts'
import { untilAborted } from './stream/until-aborted.ts'
import type { TurnStop } from './turn-stop.ts'

const defaultMaxSteps = 20

/** The events of one turn, as its consumer pulls them; the last one is its one terminal, whatever the SDK does. */
export async function* answerTurn(
  options: AiSdkBackendOptions,
  session: SessionRecord,
  input: BackendSendInput,
  turn: TurnStop,
): AsyncGenerator<SessionEvent, void> {
  const gate = createToolGate()
  const fold = createPartFold(input.turnId, gate, options.now ?? Date.now)
  try {
    const parts = untilAborted(sdkParts(options, session, input, turn.signal, gate), turn.signal)
    for (;;) {
      const next = await parts.next()
      if (next === 'aborted') return yield* fold.abort(turn.source())
      if (next.done) return yield* fold.complete()
      yield* fold.push(next.value)
      // Being asked for more means that the call is committed.
      if (next.value.type === 'tool-call') gate.open(next.value.toolCallId)
    }
  } catch (error) {
    yield* fold.fail(error)
  }
}

async function* sdkParts(
  options: AiSdkBackendOptions,
  session: SessionRecord,
  input: BackendSendInput,
  abortSignal: AbortSignal,
  gate: ToolGate,
): AsyncGenerator<StreamPart, void> {
  const { maxSteps = defaultMaxSteps, streamText = installedStreamText } = options
  const tools = await ofSession(options.tools, session)
  const call = {
    ...(await ofSession(options.settings, session)),
    model: await ofSession(options.model, session),
    system: await ofSession(options.system, session),
    tools,
    messages: [...(await sdkMessages(input.history, tools ?? {})), { role: 'user', content: input.text }],
    abortSignal,
    stopWhen: ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= maxSteps,
    // Without it the SDK prints the error with the request's headers; the stream tells of the error too.
    onError: () => undefined,
    ...gate.callbacks,
  }
  abortSignal.throwIfAborted()
  const result = (streamText as (options: object) => ReturnType<StreamText>)(call)
  yield* (result.stream ?? result.fullStream) as AsyncIterable<StreamPart>
}

function ofSession<T>(value: OfSession<T>, session: SessionRecord): T | Promise<T> {
  return typeof value === 'function' ? (value as (session: SessionRecord) => T | Promise<T>)(session) : value
}
