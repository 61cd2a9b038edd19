import type {
  ErrorContent,
  FileContent,
  FunctionCallContent,
  FunctionResponseContent,
  SourceContent,
  TextContent,
  ThinkingContent,
  ToolOutcome,
} from '../runtime-event/content.ts'
import type {
  ErrorPart,
  FilePart,
  SourcePart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from './transcript-message.ts'

export type PlainContent = TextContent | ThinkingContent | FileContent | SourceContent | ErrorContent
type PlainPart = TextPart | ThinkingPart | FilePart | SourcePart | ErrorPart

/** Content whose part has the same fields. */
export function plainPart<C extends PlainContent>({ kind, ...fields }: C): Extract<PlainPart, { type: C['kind'] }> {
  return { ...fields, type: kind } as unknown as Extract<PlainPart, { type: C['kind'] }>
}

export function callPart(call: FunctionCallContent): ToolCallPart {
  const { toolCallId, name, args, providerExecuted, providerMetadata } = call
  return {
    type: 'tool_call',
    toolCallId,
    toolName: name,
    args,
    ...(providerExecuted && { providerExecuted }),
    ...(providerMetadata && { providerMetadata }),
  }
}

/** The result of a call, null where there is no response to show; a response without a call stands for both. */
export function resultPart(
  { toolCallId, name, providerExecuted }: FunctionCallContent | FunctionResponseContent,
  outcome: ToolOutcome,
  response?: FunctionResponseContent,
): ToolResultPart {
  return {
    type: 'tool_result',
    toolCallId,
    toolName: name,
    outcome,
    result: response?.result ?? null,
    ...(providerExecuted && { providerExecuted }),
    ...(response?.providerMetadata && { providerMetadata: response.providerMetadata }),
  }
}
