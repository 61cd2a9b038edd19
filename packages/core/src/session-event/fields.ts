import { anything, arrayOf, boolean, finiteNumber, id, oneOf, safeInteger, text } from '../json/check.ts'
import type { Check } from '../json/check.ts'
import { stopReason, tokenUsage } from '../runtime-event/actions-shape.ts'
import { toolOutcome } from '../runtime-event/known-content.ts'
import type { SessionEvent, SessionEventType, UnknownSessionEvent } from './session-event.ts'

/** What the fields of a session event must be. Flags may be false, and a field of any value may be left out. */
export interface EventFields {
  readonly required: Readonly<Record<string, Check>>
  readonly optional: Readonly<Record<string, Check>>
}

function fields(required: EventFields['required'], optional: EventFields['optional'] = {}): EventFields {
  return {
    required: { type: text, id, turnId: id, ts: safeInteger, ...required },
    optional: { agentPath: arrayOf(text), stepId: id, ...optional },
  }
}

export const fieldsOfEveryType: EventFields = fields({})

export const fieldsOfType: Readonly<Record<SessionEventType, EventFields>> = {
  text_delta: fields({ messageId: id, text }),
  text_complete: fields({ messageId: id, text }, { interrupted: boolean, providerMetadata: anything }),
  thinking_delta: fields({ messageId: id, text }),
  thinking_complete: fields({ messageId: id, text }, { interrupted: boolean, providerMetadata: anything }),
  tool_input_delta: fields({ toolCallId: id, toolName: text, text }),
  tool_start: fields(
    { toolCallId: id, toolName: text },
    { args: anything, providerExecuted: boolean, providerMetadata: anything },
  ),
  tool_result_preview: fields({ toolCallId: id }, { result: anything }),
  tool_result: fields(
    { toolCallId: id },
    {
      toolName: text,
      outcome: toolOutcome,
      result: anything,
      durationMs: finiteNumber,
      providerExecuted: boolean,
      providerMetadata: anything,
    },
  ),
  source: fields({ sourceId: text }, { url: text, title: text, mediaType: text, providerMetadata: anything }),
  file: fields({ messageId: id, mediaType: text, data: text }, { providerMetadata: anything }),
  token_usage: fields({ usage: tokenUsage }),
  sandbox_boundary_request: fields({ requestId: id }, { toolCallId: id, request: anything }),
  sandbox_boundary_decision_ack: fields({ requestId: id, decision: oneOf('approved', 'denied') }),
  user_question_request: fields({ requestId: id }, { toolCallId: id, question: anything }),
  user_question_answer_ack: fields({ requestId: id }),
  provider_retry: fields({ message: text }),
  custom: fields({ name: text }, { value: anything }),
  error: fields({ message: text }, { code: text }),
  abort: fields({}, { source: text }),
  complete: fields({ stopReason }),
}

/** Narrows to the types of this version, so that `type` discriminates. */
export function isKnownSessionEvent(event: SessionEvent | UnknownSessionEvent): event is SessionEvent {
  return Object.hasOwn(fieldsOfType, event.type)
}
