import type { RequestWait } from '../runtime-event/actions.ts'
import type { ToolResultEvent } from './session-event.ts'

/** What the turn has seen before an event, as far as the fact of the event depends on it. */
export interface SeenBefore {
  /** The calls without a result, by `toolCallId`: they name the tool of a result that does not. */
  readonly toolCalls: ReadonlyMap<string, { readonly toolName: string }>
  /** The names that results got which gave none, by event id: a repeat has the same, though its call is closed by then. */
  readonly namesOfResults: ReadonlyMap<string, string>
  /** How the backend gets the answers to what it asks. Absent means `later`. */
  readonly wait?: RequestWait | undefined
  /** The last error of the backend in this invocation: it makes a terminal failed. */
  readonly lastError?: { readonly message: string; readonly code?: string } | undefined
}

/** The tool whose result it is; `unknown` where neither the event nor a call says it. */
export function toolNameOf(
  { id, toolCallId, toolName }: Pick<ToolResultEvent, 'id' | 'toolCallId' | 'toolName'>,
  { toolCalls, namesOfResults }: SeenBefore,
): string {
  return toolName ?? namesOfResults.get(id) ?? toolCalls.get(toolCallId)?.toolName.toWellFormed() ?? 'unknown'
}
