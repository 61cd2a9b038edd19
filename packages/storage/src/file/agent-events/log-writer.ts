import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { type AgentEventHeader, InvalidIdError, utf8Length } from '@daybook/core'
import { newSuffix } from './file-name.ts'
import { encodeLine, eventJson, type HeaderLine } from './lines.ts'
import { catchUp, type LogFile, openFile, readRows } from './log-file.ts'

const syncData = promisify(fdatasync)
const syncAll = promisify(fsync)

/** Writes the file of one log while the lock of its folder is held. */
export class LogWriter {
  readonly #folder: string
  readonly #path: string
  readonly #runId: string
  #descriptor: number | undefined
  #found: LogFile | undefined
  #isFileChanged = false
  #isFolderChanged = false

  constructor(folder: string, path: string, runId: string) {
    this.#folder = folder
    this.#path = path
    this.#runId = runId
  }

  /** Undefined where the run has no log. */
  get log(): LogFile | undefined {
    return this.#found?.header.runId === this.#runId ? this.#found : undefined
  }

  open(known: LogFile | undefined): void {
    this.#descriptor = openFile(this.#path, 'r+')
    if (this.#descriptor !== undefined) this.#found = catchUp(this.#descriptor, this.#path, known)
  }

  /** Throws `InvalidIdError` where another run has the file. */
  create(header: AgentEventHeader): void {
    if (this.#found !== undefined) {
      const problem = `differs only by case from "${this.#found.header.runId}", which has the file here`
      throw new InvalidIdError('runId', problem)
    }
    this.#descriptor ??= openSync(this.#path, 'w+')
    this.#isFolderChanged = true
    this.#write(this.#descriptor, firstLine(header), 0)
  }

  /** Adds a line to the log, which is there, in place of what a writer that died has left of one. */
  add(line: string): void {
    this.#write(this.#descriptor!, line, this.#found!.end)
  }

  /** Writes the log, which is there, anew from this row on. */
  trim(floor: number): void {
    const [from, log] = [this.#descriptor!, this.#found!]
    const rows = () => readRows(from, log, floor)
    let keptBytes = 0
    for (const { text } of rows()) keptBytes += utf8Length(eventJson(text))
    const { header, bytes, truncated, claimedAt } = log
    const path = this.#path + newSuffix
    const descriptor = openSync(path, 'w')
    try {
      const trimmed = { lastSeq: floor - 1, bytes: bytes - keptBytes, truncated, claimedAt }
      writeAll(descriptor, firstLine(header, trimmed), null)
      for (const { text } of rows()) writeAll(descriptor, `${text}\n`, null)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(path, this.#path)
    this.#found = undefined
    this.#isFolderChanged = true
  }

  remove(): void {
    rmSync(this.#path)
    this.#found = undefined
    this.#isFolderChanged = true
  }

  async sync(): Promise<void> {
    if (this.#isFileChanged) await syncData(this.#descriptor!)
    if (!this.#isFolderChanged) return
    const folder = openSync(this.#folder, 'r')
    try {
      await syncAll(folder)
    } finally {
      closeSync(folder)
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }

  #write(descriptor: number, line: string, end: number): void {
    if (fstatSync(descriptor).size > end) ftruncateSync(descriptor, end)
    try {
      writeAll(descriptor, line, end)
    } catch (error) {
      ftruncateSync(descriptor, end)
      throw error
    }
    this.#isFileChanged = true
    this.#found = catchUp(descriptor, this.#path, this.#found)
  }
}

function firstLine(header: AgentEventHeader, trimmed?: HeaderLine['trimmed']): string {
  return encodeLine({ kind: 'header', file: randomUUID(), header, ...(trimmed && { trimmed }) })
}

/** At the position, or where the last write ended. */
function writeAll(descriptor: number, text: string, position: number | null): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length;) {
    const at = position === null ? null : position + written
    written += writeSync(descriptor, bytes, written, bytes.length - written, at)
  }
}
