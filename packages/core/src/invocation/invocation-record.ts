import type { InvocationOpenedContent } from '../runtime-event/content.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'

/** One invocation as the index and the rebuild both answer it, with the same keys and the same values. */
export interface InvocationRecord {
  readonly sessionId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
  /** The opening event's own `ts`. */
  readonly openedAt: number
  readonly opening: InvocationOpenedContent
  /** The first terminal event by `eventSeq`; the key is absent while there is none. */
  readonly terminalEvent?: RuntimeEvent
}
