import type { SessionRecord } from '@daybook/core'
import type { AgentBackend, BackendCapabilities } from '@daybook/core/backend-types'
import { settlesWithin } from '../timing/settles-within.ts'
import type { StartTimer } from '../timing/timer.ts'
import type { BackendRegistry } from './backend-registry.ts'

export interface BackendCacheOptions {
  readonly registry: BackendRegistry
  /** How many backends are kept for later turns; those at work come on top. */
  readonly maxIdle: number
  /** How long a backend may take to be disposed of, in milliseconds. */
  readonly graceMs: number
  readonly startTimer: StartTimer
  readonly warn: (message: string, cause?: unknown) => void
}

/** The backend of a session for the time of one turn. */
export interface BackendLease {
  /** Rejects as the factory does. */
  readonly building: Promise<AgentBackend>
  /** Keeps the backend for the session's next turn. */
  release(): void
  /** Disposes of it: the next turn gets a new one. */
  discard(): void
}

interface Slot {
  /** Of the session that it was built for. */
  readonly revision: number
  readonly building: Promise<AgentBackend>
  /** Resolves when the turn that has it lets go; undefined while no turn has it. */
  held: Promise<void> | undefined
}

/**
 * Builds each session's backend once and keeps it between turns, the most recently used ones, until the session is
 * changed.
 */
export class BackendCache {
  readonly #options: BackendCacheOptions
  /** Least recently used first. */
  readonly #slots = new Map<string, Slot>()
  readonly #disposals = new Set<Promise<void>>()

  constructor(options: BackendCacheOptions) {
    this.#options = options
  }

  /** Waits while another turn has the session's backend. After a factory that failed the next lease builds again. */
  async lease(session: SessionRecord): Promise<BackendLease> {
    let slot = this.#slots.get(session.id)
    while (slot?.held !== undefined) {
      await slot.held
      slot = this.#slots.get(session.id)
    }
    if (slot !== undefined && slot.revision !== session.revision) {
      this.#dispose(session.id, slot)
      slot = undefined
    }
    return this.#hold(session.id, slot ?? this.#build(session))
  }

  /** What the session's backend can do; builds it where there is none. Rejects as the factory does. */
  async capabilitiesOf(session: SessionRecord): Promise<BackendCapabilities> {
    const lease = await this.lease(session)
    try {
      return (await lease.building).capabilities ?? {}
    } finally {
      lease.release()
    }
  }

  /** Disposes of the session's backend once no turn has it. */
  async remove(sessionId: string): Promise<void> {
    await this.#slots.get(sessionId)?.held
    const slot = this.#slots.get(sessionId)
    if (slot !== undefined) this.#dispose(sessionId, slot)
    await Promise.all(this.#disposals)
  }

  /** Disposes of all, each once no turn has it. */
  async close(): Promise<void> {
    await Promise.all([...this.#slots.keys()].map((sessionId) => this.remove(sessionId)))
    await Promise.all(this.#disposals)
  }

  #build(session: SessionRecord): Slot {
    const building = this.#options.registry.build(session.backendKind, { sessionId: session.id, session })
    const slot: Slot = { revision: session.revision, building, held: undefined }
    this.#slots.set(session.id, slot)
    building.catch(() => this.#forget(session.id, slot))
    return slot
  }

  #hold(sessionId: string, slot: Slot): BackendLease {
    const held = Promise.withResolvers<void>()
    slot.held = held.promise
    const letGo = (keep: boolean): void => {
      slot.held = undefined
      if (!keep) this.#dispose(sessionId, slot)
      else if (this.#forget(sessionId, slot)) this.#slots.set(sessionId, slot)
      this.#evict()
      held.resolve()
    }
    return { building: slot.building, release: () => letGo(true), discard: () => letGo(false) }
  }

  /** False when the slot is forgotten already. */
  #forget(sessionId: string, slot: Slot): boolean {
    return this.#slots.get(sessionId) === slot && this.#slots.delete(sessionId)
  }

  #evict(): void {
    const idle = [...this.#slots].filter(([, slot]) => slot.held === undefined)
    const excess = Math.max(0, idle.length - this.#options.maxIdle)
    for (const [sessionId, slot] of idle.slice(0, excess)) this.#dispose(sessionId, slot)
  }

  #dispose(sessionId: string, slot: Slot): void {
    if (!this.#forget(sessionId, slot)) return
    const disposal = this.#disposeOf(sessionId, slot.building).finally(() => this.#disposals.delete(disposal))
    this.#disposals.add(disposal)
  }

  async #disposeOf(sessionId: string, building: Promise<AgentBackend>): Promise<void> {
    const { graceMs, startTimer, warn } = this.#options
    try {
      const disposed = building.then((backend) => backend.dispose())
      if (await settlesWithin(disposed, graceMs, startTimer)) return
      warn(`the backend of session "${sessionId}" was still disposing of itself after ${graceMs} ms`)
    } catch (error) {
      warn(`the backend of session "${sessionId}" could not be disposed of`, error)
    }
  }
}
