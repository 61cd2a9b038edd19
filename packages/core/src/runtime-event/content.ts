import type { JsonObject, JsonValue } from '../json/json-value.ts'

export interface TextContent {
  readonly kind: 'text'
  readonly text: string
  /** The text was cut off: the backend never completed it. */
  readonly interrupted?: true
  /** What the provider wants back unchanged in the next call, such as the id of an item. */
  readonly providerMetadata?: JsonObject
}

export interface ThinkingContent {
  readonly kind: 'thinking'
  readonly text: string
  readonly interrupted?: true
  /** What the provider wants back unchanged in the next call, such as a signature. */
  readonly providerMetadata?: JsonObject
}

export interface FunctionCallContent {
  readonly kind: 'function_call'
  readonly toolCallId: string
  /** At most 1000 bytes. */
  readonly name: string
  readonly args: JsonValue
  /** The provider runs the tool itself. */
  readonly providerExecuted?: true
  readonly providerMetadata?: JsonObject
}

/**
 * How a tool call came out. `ok` and `error` are the tool's own word; `denied`: a person or a rule refused it;
 * `not_answered`: it waited for an answer that never came; `unknown`: nobody can say whether it ran.
 */
export type ToolOutcome = 'ok' | 'error' | 'denied' | 'not_answered' | 'unknown'

export interface FunctionResponseContent {
  readonly kind: 'function_response'
  readonly toolCallId: string
  readonly name: string
  readonly outcome: ToolOutcome
  readonly result: JsonValue
  readonly durationMs?: number
  readonly providerExecuted?: true
  readonly providerMetadata?: JsonObject
}

export interface ErrorContent {
  readonly kind: 'error'
  readonly message: string
  readonly code?: string
}

/** Large content by reference: the bytes live elsewhere under their SHA-256. */
export interface BlobContent {
  readonly kind: 'blob'
  /** `sha256:` and 64 lower-case hex digits. */
  readonly digest: string
  readonly mediaType: string
  readonly bytes: number
}

/** A file that the model made. */
export interface FileContent {
  readonly kind: 'file'
  readonly mediaType: string
  /** base64 */
  readonly data: string
  readonly providerMetadata?: JsonObject
}

/** Something that an answer rests on. */
export interface SourceContent {
  readonly kind: 'source'
  readonly sourceId: string
  readonly url?: string
  readonly title?: string
  readonly mediaType?: string
  readonly providerMetadata?: JsonObject
}

/** Why the invocation exists. A retry supersedes another; a continuation goes on from a waiting or interrupted one. */
export type InvocationSource =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'retry'; readonly supersedes: string }
  | { readonly kind: 'continuation'; readonly of: string }

/** Event 1 of every invocation: what was decided before the backend was asked. */
export interface InvocationOpenedContent {
  readonly kind: 'invocation_opened'
  readonly protocol: 'invocation_opened_v1'
  readonly route: {
    readonly backendKind: string
    readonly llmConnectionSlug?: string
    readonly model?: string
  }
  readonly configuration: {
    readonly cwd?: string
    readonly permissionMode: string
    readonly permissionRules?: readonly JsonObject[]
    /** Revision of the session's settings that this invocation runs with. */
    readonly revision: number
    readonly settings?: JsonObject
  }
  /** Who asked: a person, or the name of what did. */
  readonly root: { readonly kind: string }
  readonly source: InvocationSource
  readonly lineage?: {
    readonly parentInvocationId: string
    readonly parentToolCallId?: string
  }
}

/** A kind that this version does not know: kept byte for byte, skipped by the reductions. */
export interface UnknownContent extends JsonObject {
  readonly kind: string
}

export type KnownContent =
  | TextContent
  | ThinkingContent
  | FunctionCallContent
  | FunctionResponseContent
  | ErrorContent
  | BlobContent
  | FileContent
  | SourceContent
  | InvocationOpenedContent

export type RuntimeEventContent = KnownContent | UnknownContent
