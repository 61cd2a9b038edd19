import type { InvocationState } from '../invocation/invocation-state.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { TokenUsage } from '../runtime-event/actions.ts'
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

/** Something that an answer rests on. */
export interface SourcePart {
  readonly type: 'source'
  readonly sourceId: string
  readonly url?: string
  readonly title?: string
  readonly mediaType?: string
  readonly providerMetadata?: JsonObject
}
export interface ErrorPart {
  readonly type: 'error'
  readonly message: string
  readonly code?: string
}

/** A turn as a person reads it: its newest attempt that no retry superseded, with the continuations of it. */
export interface TranscriptTurn {
  readonly turnId: string
  /** The newest invocation of the turn, which `runId`, `state` and `error` are about too. */
  readonly invocationId: string
  readonly runId: string
  /** When the first invocation was opened, by its own clock. */
  readonly openedAt: number
  readonly state: InvocationState
  /** Text of the user; empty for a turn that no person's text opened. */
  readonly userText: string
  /** In the order of the ledger; a tool call stands where it was made. */
  readonly items: readonly TranscriptItem[]
  /** Why it failed; absent otherwise, and where nobody said why. */
  readonly error?: { readonly message: string; readonly code?: string }
  /** The sum of all counts in the turn. */
  readonly usage?: TokenUsage
}

/** A call is `open` while a result or an answer can still come. A result of its own is one whose call the turn does not have. */
export type TranscriptItem =
  | TextPart
  | ThinkingPart
  | FilePart
  | (ToolCallPart & { readonly outcome: ToolOutcome | 'open'; readonly result?: JsonValue })
  | ToolResultPart
  | SourcePart
  | ErrorPart
