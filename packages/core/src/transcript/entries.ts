import type {
  FunctionCallContent,
  FunctionResponseContent,
  TextContent,
  ToolOutcome,
} from '../runtime-event/content.ts'
import { isKnownContent } from '../runtime-event/known-content.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
import type { PlainContent } from './parts.ts'
import type { Turn, TurnInvocation } from './turns.ts'

interface EntryBase {
  readonly event: RuntimeEvent
  readonly invocation: TurnInvocation
}

export interface UserEntry extends EntryBase {
  readonly type: 'user'
  readonly content: TextContent
}

export interface PlainEntry extends EntryBase {
  readonly type: 'plain'
  readonly content: PlainContent
}

export interface CallEntry extends EntryBase {
  readonly type: 'call'
  readonly content: FunctionCallContent
  /** The first response to it. */
  response?: ResponseEntry
}

export interface ResponseEntry extends EntryBase {
  readonly type: 'response'
  readonly content: FunctionResponseContent
  /** The call that it answers; absent where the turn has none. */
  readonly call: CallEntry | undefined
}

/** One fact of a turn that a transcript can show. */
export type Entry = UserEntry | PlainEntry | CallEntry | ResponseEntry

/**
 * What the transcript of a turn can show, in the order of the ledger, each tool call with the first response that
 * follows it. Further responses, and repeats of a call while it is open, are left out. An id may be used again for
 * another call. What the terminal event says of a failure is not among them.
 */
export function entriesOf(turn: Turn): Entry[] {
  const entries: Entry[] = []
  const calls = new Map<string, CallEntry>()
  for (const invocation of turn.invocations) {
    for (const event of invocation.events) {
      const entry = entryOf(event, invocation, calls)
      if (entry !== undefined) entries.push(entry)
    }
  }
  return entries
}

function entryOf(event: RuntimeEvent, invocation: TurnInvocation, calls: Map<string, CallEntry>): Entry | undefined {
  const { content, role } = event
  if (!isKnownContent(content)) return undefined
  switch (content.kind) {
    case 'text':
      if (role === 'user') return { type: 'user', event, invocation, content }
      return role === 'model' ? { type: 'plain', event, invocation, content } : undefined
    case 'error':
      return event === invocation.terminalEvent ? undefined : { type: 'plain', event, invocation, content }
    case 'thinking':
    case 'file':
    case 'source':
      return { type: 'plain', event, invocation, content }
    case 'function_call': {
      const earlier = calls.get(content.toolCallId)
      if (earlier?.invocation === invocation && earlier.response === undefined) return undefined
      const call: CallEntry = { type: 'call', event, invocation, content }
      calls.set(content.toolCallId, call)
      return call
    }
    case 'function_response': {
      const call = calls.get(content.toolCallId)
      if (call?.response !== undefined) return undefined
      const response: ResponseEntry = { type: 'response', event, invocation, content, call }
      if (call !== undefined) call.response = response
      return response
    }
    case 'blob':
    case 'invocation_opened':
      return undefined
  }
}

/** How a call came out: as its response says, else as it is when none comes any more. */
export function outcomeOf({ invocation, response }: CallEntry): ToolOutcome {
  if (response !== undefined) return response.content.outcome
  return invocation.state === 'waiting' ? 'not_answered' : 'unknown'
}
