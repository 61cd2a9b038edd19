import { arrayOf, counter, boolean, id, object, oneOf, safeInteger, shape, text } from '../json/check.ts'
import type { Check } from '../json/check.ts'
import { actions } from './actions-shape.ts'
import { contentOfAnyKind } from './known-content.ts'
import { agentPath } from './names.ts'
import type { RuntimeEvent, RuntimeEventAuthor, RuntimeEventRefs, RuntimeEventRole } from './runtime-event.ts'
import { terminalStatuses } from './terminal.ts'

/** What this version writes. It is version 1, whose events have no `v`. */
export const writtenEvent: Check = shape(
  {
    id,
    sessionId: id,
    invocationId: id,
    runId: id,
    turnId: id,
    ts: safeInteger,
    partial: oneOf(false),
    role: oneOf<RuntimeEventRole>('system', 'user', 'model', 'tool'),
    author: oneOf<RuntimeEventAuthor>('system', 'user', 'agent', 'tool', 'host'),
    modelVisibility: oneOf<RuntimeEvent['modelVisibility']>('visible', 'hidden'),
  },
  {
    status: oneOf(...terminalStatuses),
    content: contentOfAnyKind,
    actions,
    refs: shape({}, { messageId: id, toolCallId: id, stepId: id, requestId: id } satisfies Record<
      keyof RuntimeEventRefs,
      Check
    >),
    agentPath,
  },
)

/** What every event of every version has, so that it can be placed, ordered and skipped. */
export const readEnvelope: Check = shape(
  {
    id: text,
    sessionId: text,
    invocationId: text,
    runId: text,
    turnId: text,
    ts: safeInteger,
    partial: boolean,
    role: text,
    author: text,
    modelVisibility: text,
  },
  {
    v: counter,
    status: text,
    content: shape({ kind: text }),
    actions: object,
    refs: object,
    agentPath: arrayOf(text),
  },
)
