import { statSync } from 'node:fs'
import { WalReplacedError } from '@daybook/core'

/**
 * Notices that the write-ahead log that a connection has open is no longer the one beside the file. That happens when
 * another SQLite library in this process closes the same file: it drops this library's locks, takes itself for the last
 * one and removes the log. What is written into the removed log is lost, so this is asked before each write.
 */
export interface WalGuard {
  /** Throws `WalReplacedError`. Returns the bytes of the log. */
  check(): number
}

/** For a connection that has read the file, and so has its log open. */
export function guardWal(file: string): WalGuard {
  const opened = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false })
  return {
    check() {
      const now = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false })
      if (now?.ino !== opened?.ino || now?.dev !== opened?.dev) throw new WalReplacedError(file)
      return Number(now?.size ?? 0)
    },
  }
}
