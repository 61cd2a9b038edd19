/**
 * What is read of the parts of the SDK's stream. It is described here and not imported, because the majors of the SDK
 * differ in what they declare while they agree on this. A part of another type is kept whole.
 */
export type StreamPart =
  | { readonly type: 'start' }
  | { readonly type: 'start-step'; readonly warnings?: readonly unknown[] }
  | SpanPart<'text'>
  | SpanPart<'reasoning'>
  | { readonly type: 'tool-input-start'; readonly id: string; readonly toolName: string }
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool-input-end' }
  | ToolCall
  | ToolResult
  | ToolError
  | ToolApprovalRequest
  | {
      readonly type: 'tool-approval-response'
      readonly toolCall: { readonly toolCallId: string }
      readonly approved: boolean
      readonly reason?: string
    }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  | Source
  | { readonly type: 'file'; readonly file: SdkFile; readonly providerMetadata?: unknown }
  | { readonly type: 'reasoning-file'; readonly file: SdkFile; readonly providerMetadata?: unknown }
  | { readonly type: 'finish-step'; readonly usage: SdkUsage }
  | ({ readonly type: 'finish' } & Finish)
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'abort'; readonly reason?: string }
  | { readonly type: 'ping' }

type SpanPart<Kind extends 'text' | 'reasoning'> =
  | { readonly type: `${Kind}-start`; readonly id: string; readonly providerMetadata?: unknown }
  | { readonly type: `${Kind}-delta`; readonly id: string; readonly text: string; readonly providerMetadata?: unknown }
  | {
      readonly type: `${Kind}-end`
      readonly id: string
      readonly providerMetadata?: unknown
      readonly citations?: readonly unknown[]
    }

export interface ToolCall {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  /** The arguments; the text that the model wrote where they are `invalid` and no JSON. */
  readonly input: unknown
  readonly invalid?: boolean
  readonly providerExecuted?: boolean
  readonly providerMetadata?: unknown
}

export interface ToolResult {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly output: unknown
  /** A preview; the result follows. */
  readonly preliminary?: boolean
  readonly providerMetadata?: unknown
}

export interface ToolError {
  readonly type: 'tool-error'
  readonly toolCallId: string
  readonly error: unknown
  readonly providerExecuted?: boolean
  readonly providerMetadata?: unknown
}

export interface ToolApprovalRequest {
  readonly type: 'tool-approval-request'
  readonly approvalId: string
  readonly toolCall: Pick<ToolCall, 'toolCallId' | 'toolName' | 'input' | 'providerExecuted'>
  readonly reason?: string
  /** A rule of the program decides; no person is asked. */
  readonly isAutomatic?: boolean
}

interface Source {
  readonly type: 'source'
  readonly id: string
  readonly url?: string
  readonly title?: string
  readonly filename?: string
  readonly mediaType?: string
  readonly providerMetadata?: unknown
}

export interface SdkFile {
  readonly base64: string
  readonly mediaType: string
}

export interface Finish {
  readonly finishReason: string
  /** The provider's own word; undefined where it gave none. */
  readonly rawFinishReason?: string | undefined
}

export interface SdkUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly totalTokens?: number | undefined
  readonly inputTokenDetails?: { readonly cacheReadTokens?: number | undefined }
  readonly outputTokenDetails?: { readonly reasoningTokens?: number | undefined }
}
