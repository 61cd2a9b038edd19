import type { RuntimeEvent } from './runtime-event.ts'
import { isTerminalEvent } from './terminal.ts'

/** The word that indexes an event: the kind of its content, else its status, else whether it ends the invocation. */
export function eventKind(event: RuntimeEvent): string {
  return event.content?.kind ?? event.status ?? (isTerminalEvent(event) ? 'invocation_end' : 'runtime_fact')
}
