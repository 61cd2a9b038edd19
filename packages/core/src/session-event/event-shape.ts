import { anything, boolean, count, finiteNumber, id, oneOf, safeInteger, shape, text } from '../json/check.ts'
import type { Check, Shape } from '../json/check.ts'
import { stopReason, tokenUsage } from '../runtime-event/actions-shape.ts'
import { toolOutcome } from '../runtime-event/known-content.ts'
import { agentPath, toolName } from '../runtime-event/names.ts'
import type { SessionEvent, SessionEventType, UnknownSessionEvent } from './session-event.ts'

function eventShape(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Shape {
  const base = { type: text, id, turnId: id, ts: safeInteger }
  return shape({ ...base, ...required }, { agentPath, stepId: id, ...optional })
}

const unknownShape = eventShape({})

/** Flags may be false, and a field of any value may be left out. */
const shapes: ReadonlyMap<unknown, Shape> = new Map(
  Object.entries({
    text_delta: eventShape({ messageId: id, text }),
    text_complete: eventShape({ messageId: id, text }, { interrupted: boolean, providerMetadata: anything }),
    thinking_delta: eventShape({ messageId: id, text }),
    thinking_complete: eventShape({ messageId: id, text }, { interrupted: boolean, providerMetadata: anything }),
    tool_input_delta: eventShape({ toolCallId: id, toolName, text }),
    tool_start: eventShape(
      { toolCallId: id, toolName },
      { args: anything, providerExecuted: boolean, providerMetadata: anything },
    ),
    tool_result_preview: eventShape({ toolCallId: id }, { result: anything }),
    tool_result: eventShape(
      { toolCallId: id },
      {
        toolName,
        outcome: toolOutcome,
        result: anything,
        durationMs: finiteNumber,
        providerExecuted: boolean,
        providerMetadata: anything,
      },
    ),
    source: eventShape({ sourceId: text }, { url: text, title: text, mediaType: text, providerMetadata: anything }),
    file: eventShape({ messageId: id, mediaType: text, data: text }, { providerMetadata: anything }),
    token_usage: eventShape({ usage: tokenUsage }),
    sandbox_boundary_request: eventShape({ requestId: id }, { toolCallId: id, expiresInMs: count, request: anything }),
    sandbox_boundary_decision_ack: eventShape({ requestId: id, decision: oneOf('approved', 'denied') }),
    user_question_request: eventShape({ requestId: id }, { toolCallId: id, expiresInMs: count, question: anything }),
    user_question_answer_ack: eventShape({ requestId: id }),
    provider_retry: eventShape({ message: text }),
    custom: eventShape({ name: text }, { value: anything }),
    error: eventShape({ message: text }, { code: text }),
    abort: eventShape({}, { source: text }),
    complete: eventShape({ stopReason }),
  } satisfies Record<SessionEventType, Shape>),
)

/** What an event of this type must be: for an unknown type, what every event must be. */
export function shapeOfType(type: unknown): Shape {
  return shapes.get(type) ?? unknownShape
}

/** Narrows to the types of this version, so that `type` discriminates. */
export function isKnownSessionEvent(event: SessionEvent | UnknownSessionEvent): event is SessionEvent {
  return shapes.has(event.type)
}
