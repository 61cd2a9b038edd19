import { memberPointer } from '../../json/json-pointer.ts'

/** The names of the CUSTOM events that tell what has no type in AG-UI. Their values are described in the README. */
export const agentEventNames = {
  custom: 'daybook.custom',
  error: 'daybook.error',
  file: 'daybook.file',
  providerRetry: 'daybook.provider_retry',
  request: 'daybook.request',
  requestAnswered: 'daybook.request_answered',
  /** A session event of a type that this version does not know. */
  sessionEvent: 'daybook.session_event',
  source: 'daybook.source',
  subagentError: 'daybook.subagent_error',
  subagentFinished: 'daybook.subagent_finished',
  subagentStarted: 'daybook.subagent_started',
  /** The text since the last START is this, and it belongs to whom the event belongs, whatever was told of it. */
  textReplaced: 'daybook.text_replaced',
  tokenUsage: 'daybook.token_usage',
  /** The arguments of the call are these; its tool and whom it belongs to are as said here, whatever was told of it. */
  toolArgsReplaced: 'daybook.tool_args_replaced',
  toolResultPreview: 'daybook.tool_result_preview',
} as const

const kinds = { text: 'text', thinking: 'reasoning', tool_result: 'result' } as const

/**
 * The id of a message in AG-UI. A client adds to a message whose id it knows, so that the ids of a thread must differ from
 * run to run, and those of a text, of thinking and of a result from one another.
 */
export function agentMessageId(runId: string, kind: keyof typeof kinds, id: string): string {
  return `${runId}:${kinds[kind]}:${id}`
}

/** The id that was given to `agentMessageId`; undefined where the message is of another run or kind. */
export function ownMessageId(runId: string, kind: keyof typeof kinds, messageId: string): string | undefined {
  const prefix = agentMessageId(runId, kind, '')
  return messageId.startsWith(prefix) ? messageId.slice(prefix.length) : undefined
}

/** What names a sub-agent in the run, by the names from the outermost to its own; '' for the run itself. */
export function agentKeyOf(runId: string, agentPath: readonly string[]): string {
  return agentPath.length === 0 ? '' : runId + agentPath.reduce(memberPointer, '')
}
