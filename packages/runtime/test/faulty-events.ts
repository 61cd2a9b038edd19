import type { OpenedStorage, RuntimeEventStore } from '@daybook/core'

/** Where an append fails: before it is written, or after, when its caller cannot know. */
export type Fault = { readonly error: unknown; readonly written?: boolean } | undefined

/** The storage with appends that fail as `faultOf` says; it is asked at each attempt, which it is told the number of. */
export function withFaultyAppends(storage: OpenedStorage, faultOf: (attempt: number) => Fault): OpenedStorage {
  let attempts = 0
  const events: RuntimeEventStore = Object.assign(Object.create(storage.events) as RuntimeEventStore, {
    async append(request: Parameters<RuntimeEventStore['append']>[0]) {
      const fault = faultOf(++attempts)
      const appended = fault === undefined || fault.written ? await storage.events.append(request) : []
      if (fault !== undefined) throw fault.error
      return appended
    },
  })
  return { ...storage, events }
}
