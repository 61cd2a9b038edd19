import type { Clock, OpenedStorage } from '@daybook/core'
import type { ForeignRow } from '../foreign-row.ts'
import { memoryAgentEventStore } from './agent-events/agent-event-store.ts'
import { memoryEventStore } from './events/event-store.ts'
import { insertForeignRow } from './foreign-rows.ts'
import { createMemoryLedger, type MemoryLedger } from './ledger.ts'
import { memoryRunStore } from './runs/run-store.ts'
import { memorySessionStore } from './sessions/session-store.ts'

export interface MemoryOptions {
  /** Gives the times of commits. Default `Date.now`. */
  readonly now?: Clock
  /** For tests: rows that a foreign writer left before. */
  readonly foreignRows?: readonly ForeignRow[]
}

/** A storage that keeps everything in memory, for tests and for what need not be kept: an acknowledged write survives nothing. */
export function openMemory({ now = Date.now, foreignRows = [] }: MemoryOptions = {}): OpenedStorage {
  const ledger = createMemoryLedger(now)
  for (const row of foreignRows) insertForeignRow(ledger, row)
  return memoryStorage(ledger)
}

/** The stores of a ledger that a test can reach into. */
export function memoryStorage(ledger: MemoryLedger): OpenedStorage {
  const identity = { description: 'memory' }
  const sessions = memorySessionStore(ledger, identity)
  const runs = memoryRunStore(ledger, identity)
  const events = memoryEventStore(ledger, identity)
  const agentEvents = memoryAgentEventStore(ledger.agentEvents, identity)
  return {
    identity,
    sessions,
    runs,
    events,
    agentEvents,
    close() {
      for (const store of [sessions, runs, events, agentEvents]) store.close?.()
    },
  }
}
