import type { InvocationState } from '../invocation/invocation-state.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { TokenUsage } from '../runtime-event/actions.ts'
import type { ToolOutcome } from '../runtime-event/content.ts'
import type { FilePart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart } from './model-message.ts'

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
