import type { InvocationInput } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { Failure } from './failure.ts'

/** Why the backend is asked for nothing more. What comes of it the state table decides, by `input`. */
export type BackendEnd =
  | {
      readonly input: InvocationInput
      /** The backend's own terminal event. */
      readonly event: SessionEvent
    }
  | {
      readonly input: InvocationInput
      readonly failure: Failure
      /** What the store threw, where the ledger could not be written. */
      readonly error?: unknown
      /** What the backend said last, where that was refused. */
      readonly unrecorded?: SessionEvent
    }
