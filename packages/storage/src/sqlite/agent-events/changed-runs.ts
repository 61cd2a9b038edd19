/** The runs whose logs a transaction changes, told to who watches them once it is committed. */
export interface ChangedRuns {
  readonly add: (runId: string) => void
  /** Those that were added, which are then forgotten. */
  readonly take: () => readonly string[]
}

export function createChangedRuns(): ChangedRuns {
  let runIds = new Set<string>()
  return {
    add(runId) {
      runIds.add(runId)
    },
    take() {
      if (runIds.size === 0) return []
      const taken = [...runIds]
      runIds = new Set()
      return taken
    },
  }
}
