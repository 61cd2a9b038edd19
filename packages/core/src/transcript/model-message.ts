import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { ToolOutcome } from '../runtime-event/content.ts'

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly interrupted?: true
  readonly providerMetadata?: JsonObject
}
export interface ThinkingPart {
  readonly type: 'thinking'
  readonly text: string
  readonly interrupted?: true
  readonly providerMetadata?: JsonObject
}
export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  /** base64 */
  readonly data: string
  readonly providerMetadata?: JsonObject
}
export interface ToolCallPart {
  readonly type: 'tool_call'
  readonly toolCallId: string
  readonly toolName: string
  readonly args: JsonValue
  readonly providerExecuted?: true
  readonly providerMetadata?: JsonObject
}
export interface ToolResultPart {
  readonly type: 'tool_result'
  readonly toolCallId: string
  readonly toolName: string
  readonly outcome: ToolOutcome
  readonly result: JsonValue
  readonly providerExecuted?: true
  readonly providerMetadata?: JsonObject
}

/**
 * What the next model call is given. Every `tool_call` of an assistant message has exactly one `tool_result`: in the tool
 * message right after it, in the order of the calls, or, when `providerExecuted`, in the same assistant message.
 */
export type ModelMessage =
  | { readonly role: 'user'; readonly parts: readonly TextPart[] }
  | {
      readonly role: 'assistant'
      readonly parts: readonly (TextPart | ThinkingPart | FilePart | ToolCallPart | ToolResultPart)[]
    }
  | { readonly role: 'tool'; readonly parts: readonly ToolResultPart[] }
