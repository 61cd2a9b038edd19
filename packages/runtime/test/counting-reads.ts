import type { OpenedStorage } from '@daybook/core'

/** What was read of a storage. */
export interface Reads {
  calls: number
  /** Records and events. */
  rows: number
}

/** The storage, with everything that its stores give counted. */
export function countingReads(storage: OpenedStorage): { readonly storage: OpenedStorage; readonly reads: Reads } {
  const reads: Reads = { calls: 0, rows: 0 }
  const { sessions, runs, events } = storage
  const counted = { sessions: counting(sessions, reads), runs: counting(runs, reads), events: counting(events, reads) }
  return { storage: Object.assign(Object.create(storage) as OpenedStorage, counted), reads }
}

function counting<Store extends object>(store: Store, reads: Reads): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        const given: unknown = await value.apply(target, args)
        reads.calls += 1
        reads.rows += rowsOf(given)
        return given
      }
    },
  })
}

function rowsOf(given: unknown): number {
  if (Array.isArray(given)) return given.length
  if (typeof given !== 'object' || given === null) return 0
  return 'items' in given ? rowsOf(given.items) : 1
}
