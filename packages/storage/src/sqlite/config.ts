import { basename } from 'node:path'
import { type Clock, InvalidInputError } from '@daybook/core'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../operational-state-store.ts'

/** What an acknowledged write survives: see `SqliteOptions.durability`. */
export type Durability = 'full' | 'normal'

export interface SqliteOptions {
  /**
   * `full` (default): an acknowledged write survives a crash of the process, of the system, and a power failure.
   * `normal`: it survives a crash of the process; a crash of the system may take back the last writes, never a part of
   * one. Stores of one file share a connection, which is as durable as the strongest of them asks for.
   */
  readonly durability?: Durability
  /**
   * Default false. A read-only storage creates and migrates no ledger, and its writes are refused. SQLite may leave its two
   * side files, empty, beside the ledger.
   */
  readonly readOnly?: boolean
  /** Gives the times of commits. Default `Date.now`. */
  readonly now?: Clock
  /** How long a write waits for other writers before it is refused, in ms. Default 5000. */
  readonly busyTimeoutMs?: number
  /** The most bytes that the file may have, at least 64 KiB; a write beyond it is refused. Default: what the disk takes. */
  readonly maxBytes?: number
  /**
   * Told the bytes of the write-ahead log when readers of other programs keep it from being used again: when it has more
   * than 64 MiB, and each time that it has doubled. What it throws is ignored. Default: nobody is told.
   */
  readonly onLogGrowth?: (bytes: number) => void
  /** The file in the folder, for a ledger that was moved or copied. Default `OPERATIONAL_STATE_DATABASE_NAME`. */
  readonly fileName?: string
}

export interface SqliteConfig {
  readonly durability: Durability
  readonly readOnly: boolean
  readonly now: Clock
  readonly busyTimeoutMs: number
  readonly maxBytes: number | undefined
  readonly onLogGrowth: ((bytes: number) => void) | undefined
  readonly fileName: string
}

const minMaxBytes = 65_536
const maxBusyTimeoutMs = 2 ** 31 - 1

interface Rule {
  readonly fits: (value: never) => boolean
  readonly problem: string
}

const aFunction: Rule = { fits: (value) => typeof value === 'function', problem: 'must be a function' }

const rules: Readonly<Record<keyof SqliteOptions, Rule>> = {
  durability: { fits: (value) => value === 'full' || value === 'normal', problem: 'must be full or normal' },
  readOnly: { fits: (value) => typeof value === 'boolean', problem: 'must be true or false' },
  now: aFunction,
  busyTimeoutMs: {
    fits: (value: number) => Number.isInteger(value) && value >= 0 && value <= maxBusyTimeoutMs,
    problem: `must be an integer from 0 to ${maxBusyTimeoutMs}`,
  },
  maxBytes: {
    fits: (value: number) => Number.isSafeInteger(value) && value >= minMaxBytes,
    problem: `must be an integer of at least ${minMaxBytes}`,
  },
  onLogGrowth: aFunction,
  fileName: { fits: isFileName, problem: 'must be the name of a file' },
}

/**
 * The options with their defaults. Throws `InvalidInputError` for a value that none can have, and for a name that is none:
 * who writes `readonly` for `readOnly` is not to write to the ledger.
 */
export function readOptions(options: SqliteOptions = {}): SqliteConfig {
  if (typeof options !== 'object' || options === null) throw new InvalidInputError('options', 'must be an object')
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(rules, name)) {
      throw new InvalidInputError(name, `is no option; those are ${Object.keys(rules).join(', ')}`)
    }
  }
  for (const [name, { fits, problem }] of Object.entries(rules)) {
    const value: unknown = options[name as keyof SqliteOptions]
    if (value !== undefined && !fits(value as never)) throw new InvalidInputError(name, problem)
  }
  const { durability = 'full', readOnly = false, now = Date.now, busyTimeoutMs = 5_000, maxBytes } = options
  const { onLogGrowth, fileName = OPERATIONAL_STATE_DATABASE_NAME } = options
  return { durability, readOnly, now, busyTimeoutMs, maxBytes, onLogGrowth, fileName }
}

function isFileName(value: unknown): boolean {
  return typeof value === 'string' && !/^\.{0,2}$/.test(value) && !value.includes('\0') && basename(value) === value
}
