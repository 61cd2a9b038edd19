import type { Clock, NewId } from '@daybook/core'

/** Where the ids and times of what the runtime itself writes come from. */
export interface Stamp {
  readonly newId: NewId
  readonly now: Clock
}
