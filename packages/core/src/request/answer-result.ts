import type { AnswerAction } from '../runtime-event/actions.ts'
import type { ToolOutcome } from '../runtime-event/content.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { RequestRecord } from './request-record.ts'

/** What the answer alone makes of the call that waited for it. */
export interface AnsweredCall {
  readonly toolCallId: string
  readonly outcome: ToolOutcome
  readonly result: JsonValue
}

/**
 * The outcome of the call that a request of `later` asked about, where the answer decides it: a refusal, and the answer of
 * a person who stands for the tool. Undefined for an approved call, which is still to run, and where no call waits.
 */
export function answeredCall({ toolCallId }: RequestRecord, answer: AnswerAction): AnsweredCall | undefined {
  if (toolCallId === null) return undefined
  switch (answer.outcome) {
    case 'approved':
      return undefined
    case 'answered':
      return { toolCallId, outcome: 'ok', result: answer.answer ?? null }
    case 'denied':
      return { toolCallId, outcome: 'denied', result: answer.reason ?? null }
    case 'expired':
      return { toolCallId, outcome: 'denied', result: answer.reason ?? 'Nobody answered in time.' }
  }
}
