import { encodeCanonicalJson, makeStorable } from '@daybook/core'
import type { ApprovedCall, BackendSendInput, ModelMessage, ToolCallPart } from '@daybook/core/backend-types'
import type { LanguageModel, ToolSet } from 'ai'
import { sdkMessages } from './history.ts'
import { mapTools } from './sdk-tool.ts'
import { startStream, type TurnSetup } from './open-stream.ts'
import type { StreamPart } from './stream/stream-part.ts'
import type { ToolGate } from './stream/tool-gate.ts'

/** What a tool runs with, of all that `streamText` takes in either major. */
const settingsOfTools = [
  'experimental_context',
  'toolsContext',
  'runtimeContext',
  'experimental_sandbox',
  'experimental_refineToolInput',
  'toolCallConcurrency',
  'timeout',
  'telemetry',
  'experimental_telemetry',
] as const

/**
 * Lets the SDK run the calls that a person approved, as if the model had just made them: it checks their arguments, and
 * gives the tools what it always does. No model is asked.
 */
export async function runApprovedCalls(
  setup: TurnSetup,
  { history }: BackendSendInput,
  calls: readonly ApprovedCall[],
  gate: ToolGate,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<StreamPart>> {
  const { settings = {}, allTools: tools = {} } = setup
  const at = history.findLastIndex(({ parts }) => calls.some((call) => parts.some(isCall(call))))
  const made = calls.map((call) => ({ ...history[at]?.parts.find(isCall(call)), ...call }))
  // Both the calls and the approvals are committed.
  for (const { args: input, ...call } of calls) gate.open({ type: 'tool-call', input, ...call })
  const stream = startStream(setup, gate, abortSignal, {
    ...Object.fromEntries(
      settingsOfTools.flatMap((name) => (name in settings ? [[name, settings[name as never]]] : [])),
    ),
    model: modelThatMakes(made),
    tools: runnable(tools, calls),
    messages: await sdkMessages(history.slice(0, at), tools),
  })
  return outcomesOf(stream)
}

const outcomes: ReadonlySet<string> = new Set(['tool-result', 'tool-error', 'error', 'abort'])

async function* outcomesOf(stream: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart> {
  for await (const part of stream) if (outcomes.has(part.type)) yield part
}

function isCall({ toolCallId }: ApprovedCall): (part: ModelMessage['parts'][number]) => boolean {
  return (part) => part.type === 'tool_call' && part.toolCallId === toolCallId
}

/** The tools without what comes before a call is run, which was done when the model made it. */
function runnable(tools: ToolSet, calls: readonly ApprovedCall[]): ToolSet {
  const before = {
    needsApproval: undefined,
    onInputStart: undefined,
    onInputDelta: undefined,
    onInputAvailable: undefined,
  }
  return mapTools(tools, (tool) => ({
    ...tool,
    ...before,
    execute: (input, options) => {
      const call = calls.find(({ toolCallId }) => toolCallId === options.toolCallId)
      if (call?.changed === false && stored(input) !== encodeCanonicalJson(call.args)) {
        throw new Error('The tool was not run: it does not take the arguments as they were approved.')
      }
      if (tool.execute === undefined) throw new Error('The tool was not run: nothing here runs it any more.')
      return tool.execute(input, options)
    },
  }))
}

function stored(input: unknown): string {
  return encodeCanonicalJson(makeStorable(input).value)
}

type MadeCall = Pick<ToolCallPart, 'toolCallId' | 'toolName' | 'args' | 'providerMetadata'>

/** In the form of the older of the two interfaces, which both majors take. */
function modelThatMakes(calls: readonly MadeCall[]): LanguageModel {
  const nothing = { total: undefined }
  const parts = [
    { type: 'stream-start', warnings: [] },
    ...calls.map(({ toolCallId, toolName, args, providerMetadata }) => ({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: JSON.stringify(args),
      ...(providerMetadata && { providerMetadata }),
    })),
    {
      type: 'finish',
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage: { inputTokens: nothing, outputTokens: nothing },
    },
  ]
  const model = {
    specificationVersion: 'v3',
    provider: 'daybook',
    modelId: 'approved-calls',
    supportedUrls: {},
    doStream: async () => ({ stream: ReadableStream.from(parts) }),
  }
  return model as unknown as LanguageModel
}
