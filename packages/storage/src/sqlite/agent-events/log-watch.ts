import { type FSWatcher, watch } from 'node:fs'
import { createWatchers, type Watchers } from '../../agent-events/watchers.ts'
import type { Operations } from '../operations.ts'

/**
 * The pauses between looks for what another process has committed, in ms: the first after the file was written to, and then
 * each twice as long as the one before, since a commit is there only some time after its last write. The longest where the
 * system tells of writes, and where it does not.
 */
const pauses = { first: 1, longestIfTold: 250, longest: 5 }
/** Looking takes at most so small a part of the time. */
const maxShare = 20

/**
 * Tells who watches a run of what this process commits, at once, and of what another one does, which SQLite counts. Looks
 * for that only while somebody watches.
 */
export class LogWatch {
  readonly #walFile: string
  readonly #operations: () => Operations
  readonly #watchers: Watchers = createWatchers()
  #writes: FSWatcher | undefined
  /** Whether the system tells of writes, as far as is known. */
  #isTold = false
  #version: number | undefined
  /** What each run's log was when it was looked at; only of those that are watched. */
  #marks: ReadonlyMap<string, string> = new Map()
  #timer: NodeJS.Timeout | undefined
  #pauseMs: number = pauses.first
  /** How long a look takes, as the last ones did. */
  #lookMs = 0

  constructor(walFile: string, operations: () => Operations) {
    this.#walFile = walFile
    this.#operations = operations
  }

  watch(runId: string, listener: () => void): () => void {
    const stop = this.#watchers.watch(runId, listener)
    if (this.#timer === undefined) {
      this.#watchWrites()
      this.#version = this.#readVersion()
      this.#lookSoon()
    }
    return stop
  }

  tell(runIds: readonly string[]): void {
    for (const runId of runIds) this.#watchers.tell(runId)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#unwatchWrites()
  }

  #watchWrites(): void {
    try {
      this.#writes = watch(this.#walFile, { persistent: false }, (type) => {
        // Another file may be in its place from now on.
        if (type === 'rename') return this.#unwatchWrites()
        this.#isTold = true
        if (this.#pauseMs > pauses.first) this.#lookSoon()
      }).on('error', () => this.#unwatchWrites())
      this.#isTold = true
    } catch {
      // The system has too many of these, or none.
    }
  }

  #unwatchWrites(): void {
    this.#writes?.close()
    this.#writes = undefined
    this.#isTold = false
  }

  #lookSoon(): void {
    this.#pauseMs = pauses.first
    this.#comeAgain()
  }

  #comeAgain(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), Math.max(this.#pauseMs, this.#lookMs * maxShare)).unref()
  }

  #look(): void {
    const runIds = this.#watchers.runIds()
    if (runIds.length === 0) return this.close()
    const since = performance.now()
    const version = this.#readVersion()
    const isChanged = version !== this.#version
    if (isChanged) this.#tellChanged(runIds)
    this.#version = version
    // No write was told of for long enough, but there was one.
    if (isChanged && this.#pauseMs === pauses.longestIfTold) this.#isTold = false
    const longest = this.#isTold ? pauses.longestIfTold : pauses.longest
    this.#pauseMs = isChanged ? pauses.first : Math.min(this.#pauseMs * 2, longest)
    // One that was slow because something else had the processor says little.
    this.#lookMs = Math.min(performance.now() - since, this.#lookMs * 2 + 0.01)
    this.#comeAgain()
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
