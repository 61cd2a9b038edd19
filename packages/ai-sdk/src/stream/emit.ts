import type { SessionEvent } from '@daybook/core/events'

/** A session event without what the fold adds to each: its id, turn, time and step. */
export type EventBody = SessionEvent extends infer Event
  ? Event extends SessionEvent
    ? Omit<Event, 'id' | 'turnId' | 'ts' | 'stepId' | 'agentPath'>
    : never
  : never

/** Hands on the next event of the turn; it belongs to the current step unless `stepId` names another. */
export type Emit = (body: EventBody, stepId?: string) => void
