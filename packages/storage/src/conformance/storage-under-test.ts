import type { Clock, OpenedStorage } from '@daybook/core'
import type { ForeignRow } from '../foreign-row.ts'

/** A fresh and empty storage, opened for one test. */
export interface StorageUnderTest {
  readonly storage: OpenedStorage
  /** Closes what is open and removes what was stored. */
  readonly dispose: () => void | Promise<void>
  /** Closes the storage and opens the same data again. */
  readonly reopen?: () => OpenedStorage | Promise<OpenedStorage>
  /** Inserts past Daybook, as a foreign writer does. */
  readonly insertForeignRows?: (rows: readonly ForeignRow[]) => void | Promise<void>
}

/** What not every storage can show; a storage that has one gives the function of that name with what it opens. */
export type Capability = 'reopen' | 'insertForeignRows'

export interface ConformanceOptions {
  /** Stands before each title, such as `sqlite`. */
  readonly name: string
  /** Opens a fresh storage that takes its commit times and leases from `now`. */
  readonly open: (options: { readonly now: Clock }) => StorageUnderTest | Promise<StorageUnderTest>
  /** Registers one test, as `test` of node:test, Vitest and others do. */
  readonly test: TestFunction
  /** Default none: the tests that need one are then not registered. */
  readonly capabilities?: readonly Capability[]
}

export type TestFunction = (title: string, body: () => Promise<void>) => unknown

/** The clock that a storage under test is given. It jumps forth and back, so that what is ordered by it comes out wrong. */
export interface ConformanceClock {
  readonly now: Clock
  /** From now on it says this. */
  holdAt(time: number): void
}

/** Registers one test of an aspect, with a storage of its own, unless the storage lacks what it needs. */
export type Behaviour = (
  title: string,
  body: (subject: Required<StorageUnderTest> & { readonly clock: ConformanceClock }) => Promise<void>,
  needs?: Capability,
) => void
