import { createWatchers, type Watchers } from '../../agent-events/watchers.ts'
import type { Operations } from '../operations.ts'

/** How long what another process writes goes unnoticed, in ms, unless looking takes more than a twentieth of the time. */
const pollMs = 5
const maxShare = 20

/**
 * Tells who watches a run of what this process commits, at once, and of what another one does, which SQLite counts. Looks
 * for that only while somebody watches.
 */
export class LogWatch {
  readonly #operations: () => Operations
  readonly #watchers: Watchers = createWatchers()
  #version: number | undefined
  /** What each run's log was when it was looked at; only of those that are watched. */
  #marks: ReadonlyMap<string, string> = new Map()
  #timer: NodeJS.Timeout | undefined

  constructor(operations: () => Operations) {
    this.#operations = operations
  }

  watch(runId: string, listener: () => void): () => void {
    const stop = this.#watchers.watch(runId, listener)
    if (this.#timer === undefined) {
      this.#version = this.#readVersion()
      this.#comeAgain(pollMs)
    }
    return stop
  }

  tell(runIds: readonly string[]): void {
    for (const runId of runIds) this.#watchers.tell(runId)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #comeAgain(delayMs: number): void {
    this.#timer = setTimeout(() => this.#look(), delayMs).unref()
  }

  #look(): void {
    this.#timer = undefined
    const runIds = this.#watchers.runIds()
    if (runIds.length === 0) return
    const since = performance.now()
    const version = this.#readVersion()
    if (version !== this.#version) this.#tellChanged(runIds)
    this.#version = version
    this.#comeAgain(Math.max(pollMs, (performance.now() - since) * maxShare))
  }

  #tellChanged(runIds: readonly string[]): void {
    const before = this.#marks
    try {
      this.#marks = this.#operations().agentEventLogs.marks(runIds)
    } catch {
      // Who watches reads, and is told what is wrong.
      this.#marks = new Map()
    }
    this.tell(runIds.filter((runId) => !before.has(runId) || before.get(runId) !== this.#marks.get(runId)))
  }

  #readVersion(): number | undefined {
    try {
      return this.#operations().dataVersion()
    } catch {
      return undefined
    }
  }
}
