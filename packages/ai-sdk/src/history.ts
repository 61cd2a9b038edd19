import type { ModelMessage as LedgerMessage, ToolResultPart } from '@daybook/core/backend-types'
import type { JsonObject, JsonValue } from '@daybook/core'
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, ToolSet } from 'ai'
import { splitMetadata } from './changed-args.ts'
import { withoutUndefined } from './without-undefined.ts'

type AssistantParts = Extract<LedgerMessage, { role: 'assistant' }>['parts']
type SdkAssistantPart = Exclude<AssistantModelMessage['content'], string>[number]
type SdkResult = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>
type SdkOptions = NonNullable<SdkResult['providerOptions']>
type SdkOutput = SdkResult['output']
type SdkJson = Extract<SdkOutput, { type: 'json' }>['value']

/**
 * The messages of the ledger as the SDK takes them. Left out is what providers refuse: empty text, thinking that was cut
 * off (it has no signature), and calls that the provider ran itself without a known outcome.
 */
export async function sdkMessages(history: readonly LedgerMessage[], tools: ToolSet): Promise<ModelMessage[]> {
  const argsOfCalls = new Map<string, JsonValue>()

  const assistantParts = async (parts: AssistantParts): Promise<SdkAssistantPart[]> => {
    const abandoned = new Set(
      parts.flatMap((part) => (part.type === 'tool_result' && !isKnown(part) ? [part.toolCallId] : [])),
    )
    const content: SdkAssistantPart[] = []
    for (const part of parts) {
      switch (part.type) {
        case 'text':
          if (part.text !== '') content.push({ type: 'text', text: part.text, ...providerOptions(part) })
          break
        case 'thinking':
          if (!part.interrupted) content.push({ type: 'reasoning', text: part.text, ...providerOptions(part) })
          break
        case 'file':
          content.push({ type: 'file', mediaType: part.mediaType, data: part.data, ...providerOptions(part) })
          break
        case 'tool_call': {
          const { toolCallId, toolName, args, providerExecuted } = part
          if (abandoned.has(toolCallId)) break
          argsOfCalls.set(toolCallId, args)
          const rest = { ...withoutUndefined({ providerExecuted }), ...providerOptions(part) }
          content.push({ type: 'tool-call', toolCallId, toolName, input: args, ...rest })
          break
        }
        case 'tool_result':
          if (!abandoned.has(part.toolCallId)) content.push(await sdkResult(part))
          break
      }
    }
    return content
  }

  const sdkResult = async (part: ToolResultPart): Promise<SdkResult> => {
    const { toolCallId, toolName } = part
    const { changedArgs, ...metadata } = splitMetadata(part.providerMetadata)
    const output = await sdkOutput(part, changedArgs ?? argsOfCalls.get(toolCallId), tools)
    return {
      type: 'tool-result',
      toolCallId,
      toolName,
      output: changedArgs === undefined ? output : withNote(output, changedArgs),
      ...providerOptions(metadata),
    }
  }

  const messages: ModelMessage[] = []
  for (const { role, parts } of history) {
    switch (role) {
      case 'user':
        messages.push({ role, content: parts.map(({ text }) => ({ type: 'text', text })) })
        break
      case 'assistant':
        messages.push({ role, content: await assistantParts(parts) })
        break
      case 'tool':
        messages.push({ role, content: await Promise.all(parts.map(sdkResult)) })
        break
    }
  }
  return messages.filter(({ content }) => content.length > 0)
}

/** The history with the results that calls now have in place of those that said that they had none. */
export function withResults(
  history: readonly LedgerMessage[],
  results: readonly ToolResultPart[],
): readonly LedgerMessage[] {
  const left = new Map(results.map((result) => [result.toolCallId, result]))
  // From the end: an id may have been used before.
  return history
    .toReversed()
    .map((message) => {
      if (message.role !== 'tool') return message
      const parts = message.parts.map((part) => left.get(part.toolCallId) ?? part)
      for (const { toolCallId } of parts) left.delete(toolCallId)
      return { ...message, parts }
    })
    .toReversed()
}

async function sdkOutput(part: ToolResultPart, args: JsonValue | undefined, tools: ToolSet): Promise<SdkOutput> {
  const { toolCallId, toolName, outcome } = part
  const result = part.result as SdkJson
  if (outcome === 'error' && part.providerExecuted) return { type: 'error-json', value: result }
  if (outcome !== 'ok') return { type: 'error-text', value: explanation(part) }
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined
  try {
    if (tool?.toModelOutput) return await tool.toModelOutput({ toolCallId, input: args, output: result })
  } catch {
    // The result may be older than the tool's code: the session goes on with the result as it is.
  }
  return typeof result === 'string' ? { type: 'text', value: result } : { type: 'json', value: result }
}

/** The output with what the model cannot know: its call is told to it as it made it. */
function withNote(output: SdkOutput, changedArgs: JsonValue): SdkOutput {
  const text = `A person changed the arguments of this call to ${JSON.stringify(changedArgs)}.`
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: `${text}\n${output.value}` }
    case 'json':
      return { ...output, type: 'text', value: `${text}\n${JSON.stringify(output.value)}` }
    case 'content':
      return { ...output, value: [{ type: 'text', text }, ...output.value] }
    default:
      return output
  }
}

/** Whether the tool itself said how it came out. */
function isKnown({ outcome }: ToolResultPart): boolean {
  return outcome === 'ok' || outcome === 'error'
}

function explanation({ outcome, result }: ToolResultPart): string {
  const said = result === null ? '' : typeof result === 'string' ? result : JSON.stringify(result)
  switch (outcome) {
    case 'denied':
      return `The call was refused and the tool did not run. ${said}`.trim()
    case 'not_answered':
      return `The call was not answered and the tool did not run. ${said}`.trim()
    case 'unknown':
      return `It is not known whether the tool ran to its end: check before calling it again. ${said}`.trim()
    default:
      // Providers refuse an error without a text.
      return said.trim() === '' ? 'The tool failed.' : said
  }
}

function providerOptions(part: { readonly providerMetadata?: JsonObject }): Pick<SdkResult, 'providerOptions'> {
  return part.providerMetadata === undefined ? {} : { providerOptions: part.providerMetadata as SdkOptions }
}
