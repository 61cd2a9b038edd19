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
import { pick } from '../json/pick.ts'
import type { FilePart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart } from './model-message.ts'
import type { ErrorPart, SourcePart } from './transcript-turn.ts'

export type PlainContent = TextContent | ThinkingContent | FileContent | SourceContent | ErrorContent
type PlainPart = TextPart | ThinkingPart | FilePart | SourcePart | ErrorPart

/** Content whose part has the same fields. */
export function plainPart<C extends PlainContent>({ kind, ...fields }: C): Extract<PlainPart, { type: C['kind'] }> {
  return { ...fields, type: kind } as unknown as Extract<PlainPart, { type: C['kind'] }>
}

export function callPart(call: FunctionCallContent): ToolCallPart {
  const fields = pick(call, 'toolCallId', 'args', 'providerExecuted', 'providerMetadata')
  return { type: 'tool_call', toolName: call.name, ...fields }
}

/** The result of a call, null where there is no response to show; a response without a call stands for both. */
export function resultPart(
  call: FunctionCallContent | FunctionResponseContent,
  outcome: ToolOutcome,
  response?: FunctionResponseContent,
): ToolResultPart {
  return {
    type: 'tool_result',
    toolName: call.name,
    ...pick(call, 'toolCallId', 'providerExecuted'),
    outcome,
    result: response?.result ?? null,
    ...(response && pick(response, 'providerMetadata')),
  }
}
