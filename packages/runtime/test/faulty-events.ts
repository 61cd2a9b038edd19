import type { AgentEventStore, OpenedStorage, RuntimeEventStore } from '@daybook/core'

/** Where an append fails: before it is written, or after, when its caller cannot know. */
export type Fault =
  | {
      readonly error: unknown
      readonly written?: boolean
      /** It is rows of a delivery log that are refused: facts alone are written. */
      readonly ofRows?: boolean
    }
  | undefined

/** The storage with appends to the ledger that fail as `faultOf` says; it is asked at each attempt, which it is told the number of. */
export function withFaultyAppends(storage: OpenedStorage, faultOf: (attempt: number) => Fault): OpenedStorage {
  let attempts = 0
  const append: RuntimeEventStore['append'] = (request) => {
    const fault = faultOf(++attempts)
    const isSpared = fault?.ofRows === true && request.agentEvents === undefined
    return failing(isSpared ? undefined : fault, () => storage.events.append(request))
  }
  const events: RuntimeEventStore = Object.assign(Object.create(storage.events) as RuntimeEventStore, { append })
  return { ...storage, events }
}

/** The same for rows of delivery logs that are written without a fact. */
export function withFaultyRows(storage: OpenedStorage, faultOf: () => Fault): OpenedStorage {
  const append: AgentEventStore['append'] = (...row) => failing(faultOf(), () => storage.agentEvents.append(...row))
  return { ...storage, agentEvents: { ...storage.agentEvents, append } }
}

async function failing<T>(fault: Fault, write: () => Promise<T>): Promise<T> {
  if (fault === undefined) return write()
  if (fault.written === true) await write()
  throw fault.error
}
