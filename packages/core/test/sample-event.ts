import type { RuntimeEvent } from '../src/runtime-event/runtime-event.ts'

/** An event with what every event must have, and these fields. */
export function sampleEvent(fields: Partial<RuntimeEvent> = {}): RuntimeEvent {
  return {
    id: 'event-1',
    sessionId: 'session-1',
    invocationId: 'invocation-1',
    runId: 'run-1',
    turnId: 'turn-1',
    ts: 1000,
    partial: false,
    role: 'model',
    author: 'agent',
    modelVisibility: 'visible',
    ...fields,
  }
}
