/** Who is told that something of a run's log may have been written. */
export interface Watchers {
  readonly watch: (runId: string, listener: () => void) => () => void
  readonly tell: (runId: string) => void
  /** The runs that somebody watches. */
  readonly runIds: () => string[]
}

/** What a listener throws is ignored: the write that it is told of is done. */
export function createWatchers(): Watchers {
  const byRun = new Map<string, Set<{ readonly listener: () => void }>>()
  return {
    watch(runId, listener) {
      const entry = { listener }
      const entries = byRun.get(runId) ?? new Set()
      byRun.set(runId, entries.add(entry))
      return () => {
        if (entries.delete(entry) && entries.size === 0) byRun.delete(runId)
      }
    },
    tell(runId) {
      for (const { listener } of byRun.get(runId) ?? []) {
        try {
          listener()
        } catch {}
      }
    },
    runIds: () => [...byRun.keys()],
  }
}
