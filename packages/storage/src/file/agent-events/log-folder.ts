import { closeSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AgentEventHeader, LedgerDamagedError, StorageClosedError } from '@daybook/core'
import { fileError } from '../errors.ts'
import { createFolderLock, type FolderLock } from '../folder-lock.ts'
import { fileName, runIdOf } from './file-name.ts'
import { catchUp, type LogFile, openFile } from './log-file.ts'
import { LogWriter } from './log-writer.ts'

/** How long a writer waits for others, in ms. */
const busyTimeoutMs = 5_000

/** How many logs are looked at before the event loop goes on. */
const logsPerTurn = 50

/** The logs of a folder, and what is known of each. No log stays open between two calls. */
export class LogFolder {
  readonly #folder: string
  readonly #isDurable: boolean
  readonly #lock: FolderLock
  readonly #known = new Map<string, LogFile>()
  #closed = false

  constructor(folder: string, isDurable: boolean) {
    this.#folder = folder
    this.#isDurable = isDurable
    this.#lock = createFolderLock(folder, busyTimeoutMs)
  }

  /** Undefined where the run has no log. */
  read<Result>(runId: string, use: (log: LogFile, descriptor: number) => Result): Result | undefined {
    const path = this.#path(runId)
    let descriptor: number | undefined
    try {
      descriptor = openFile(path, 'r')
      if (descriptor === undefined) {
        this.#known.delete(runId)
        return undefined
      }
      const log = catchUp(descriptor, path, this.#known.get(runId))
      // On a file system that does not tell upper from lower case, the file may be another run's.
      if (log?.header.runId !== runId) return undefined
      this.#known.set(runId, log)
      return use(log, descriptor)
    } catch (error) {
      throw fileError(error)
    } finally {
      if (descriptor !== undefined) closeSync(descriptor)
    }
  }

  /** When this resolves, what the work wrote is on the disk. */
  async write<Result>(runId: string, work: (writer: LogWriter) => Result): Promise<Result> {
    const writer = new LogWriter(this.#folder, this.#path(runId), runId)
    try {
      const result = await this.#lock.hold(() => {
        writer.open(this.#known.get(runId))
        try {
          return work(writer)
        } finally {
          if (writer.log === undefined) this.#known.delete(runId)
          else this.#known.set(runId, writer.log)
        }
      })
      if (this.#isDurable) await writer.sync()
      return result
    } catch (error) {
      throw fileError(error)
    } finally {
      writer.close()
    }
  }

  /** Of the logs that can be read: what keeps one from that is told to who reads it, and keeps nobody from the others. */
  async headers(): Promise<AgentEventHeader[]> {
    this.#checkOpen()
    const runIds = readdirSync(this.#folder).flatMap((name) => runIdOf(name) ?? [])
    const there = new Set(runIds)
    for (const runId of this.#known.keys()) if (!there.has(runId)) this.#known.delete(runId)
    const headers: AgentEventHeader[] = []
    for (const [index, runId] of runIds.entries()) {
      if (index % logsPerTurn === logsPerTurn - 1) await nextTurn()
      try {
        const header = this.read(runId, (log) => log.header)
        if (header !== undefined) headers.push(header)
      } catch (error) {
        if (!(error instanceof LedgerDamagedError)) throw error
      }
    }
    return headers
  }

  close(): void {
    this.#closed = true
    this.#lock.close()
  }

  #path(runId: string): string {
    this.#checkOpen()
    return join(this.#folder, fileName(runId))
  }

  #checkOpen(): void {
    if (this.#closed) throw new StorageClosedError()
  }
}
