/** Who is told that something may have been written. */
export interface Watchers {
  readonly watch: (listener: () => void) => () => void
  readonly tell: () => void
}

/** What a listener throws is ignored: the write that it is told of is done. */
export function createWatchers(): Watchers {
  const listeners = new Set<{ readonly listener: () => void }>()
  return {
    watch(listener) {
      const entry = { listener }
      listeners.add(entry)
      return () => {
        listeners.delete(entry)
      }
    },
    tell() {
      for (const { listener } of listeners) {
        try {
          listener()
        } catch {}
      }
    },
  }
}
