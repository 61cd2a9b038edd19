/** What was read or written stays in memory for the next write transaction, for as long as no other connection has written to the file. */
export interface Kept {
  /** A map for some of it, which is emptied with all others. */
  map<Value>(): Map<string, Value>
  /** Call it first in each write transaction. */
  begin(): void
  /** After a rollback, and when rows were removed. */
  forget(): void
}

/** In each map; each is some 500 bytes at most. */
const maxKept = 10_000

/** `dataVersion` gives another number whenever another connection committed something. */
export function keep(dataVersion: () => number): Kept {
  const maps: Map<string, unknown>[] = []
  let version: number | undefined
  const forget = (): void => {
    for (const map of maps) map.clear()
  }
  return {
    map<Value>() {
      const map = new Map<string, Value>()
      maps.push(map)
      return map
    },
    begin() {
      const now = dataVersion()
      if (now !== version || maps.some(({ size }) => size > maxKept)) forget()
      version = now
    },
    forget,
  }
}
