import type { AgentEventStore } from '@daybook/core'
import type { TestFunction } from '../storage-under-test.ts'

/** A store without a log, opened for one test. */
export interface AgentEventStoreUnderTest {
  readonly store: AgentEventStore
  /** Opens the same logs once more, over a connection of its own: a second writer. Absent where a store cannot. */
  readonly another?: () => AgentEventStore | Promise<AgentEventStore>
  /** Closes what is open and removes what was stored. */
  readonly dispose: () => void | Promise<void>
}

export interface AgentEventConformanceOptions {
  /** Stands before each title, such as `sqlite`. */
  readonly name: string
  readonly open: () => AgentEventStoreUnderTest | Promise<AgentEventStoreUnderTest>
  /** Registers one test, as `test` of node:test, Vitest and others do. */
  readonly test: TestFunction
  /** Default none: the tests that need one are then not registered. */
  readonly capabilities?: readonly AgentEventCapability[]
}

/** What not every store can show: a second writer, given as `another`; that who follows is told, by `watch`; an end, by `close`. */
export type AgentEventCapability = 'another' | 'watch' | 'close'

/** Registers one test of an aspect, with a store of its own, unless the store lacks what it needs. */
export type AgentEventBehaviour = (
  title: string,
  body: (subject: Required<AgentEventStoreUnderTest>) => Promise<void>,
  ...needs: readonly AgentEventCapability[]
) => void
