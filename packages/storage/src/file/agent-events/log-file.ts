import { fstatSync, openSync, readSync } from 'node:fs'
import {
  type AgentEventHeader,
  agentEventHeaderFault,
  isTruncationMarker,
  LedgerDamagedError,
  utf8Length,
} from '@daybook/core'
import { replaceHeader } from '../../agent-events/replace-header.ts'
import { isMissing } from '../errors.ts'
import { eventJson, readLines, type RowLine, type StoredLine } from './lines.ts'

/** What a file said up to `end`; kept, so that only what was added is read. */
export interface LogFile {
  /** How the file begins, which no other file of a log does. */
  start: string
  /** Behind the last whole line. What stands there is being written, or was torn when its writer died. */
  end: number
  header: AgentEventHeader
  claimedAt: number | null
  lastSeq: number
  bytes: number
  floor: number
  truncated: boolean
  /** Where the row `floor`, and each `rowsPerMark`th after it, begins. */
  readonly marks: number[]
}

const rowsPerMark = 64

/** Enough of the first line to hold what names the file. */
const startBytes = 64

/** Undefined where there is no file. */
export function openFile(path: string, flags: 'r' | 'r+'): number | undefined {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The rows from this seq on. */
export function* readRows(
  descriptor: number,
  log: LogFile,
  seq: number,
): Generator<{ readonly row: RowLine; readonly text: string }> {
  const first = Math.max(seq, log.floor)
  if (first > log.lastSeq) return
  const mark = log.marks[Math.floor((first - log.floor) / rowsPerMark)]!
  for (const { line, text } of readLines(descriptor, mark, log.end)) {
    if (line?.kind === 'row' && line.seq >= first) yield { row: line, text }
  }
}

/** Brings what is known of a file up to date, from nothing where the file is another one. Undefined: it has no whole line. */
export function catchUp(descriptor: number, path: string, known: LogFile | undefined): LogFile | undefined {
  const { size } = fstatSync(descriptor)
  const start = Buffer.alloc(startBytes)
  readSync(descriptor, start, 0, startBytes, 0)
  let log = known?.start === start.toString('latin1') && known.end <= size ? known : undefined
  let unreadable: number | undefined
  for (const stored of readLines(descriptor, log?.end ?? 0, size)) {
    if (stored.line === undefined) {
      unreadable ??= stored.offset
      continue
    }
    // A torn end is no line that was acknowledged; what stands before such a line was.
    if (unreadable !== undefined) throw damaged(path, unreadable, 'is no line of a log')
    if (log === undefined) log = begin(start.toString('latin1'), stored, path)
    else take(log, stored, path)
  }
  return log
}

/** What the first line says. */
function begin(start: string, { line, next }: StoredLine, path: string): LogFile {
  if (line?.kind !== 'header') throw damaged(path, 0, 'is no header')
  checkHeader(line.header, path, 0)
  const { lastSeq, bytes, truncated, claimedAt } = line.trimmed ?? {
    lastSeq: 0,
    bytes: 0,
    truncated: false,
    claimedAt: null,
  }
  const floor = lastSeq + 1
  return { start, end: next, header: line.header, lastSeq, bytes, floor, truncated, claimedAt, marks: [] }
}

/** Adds what a further line says. */
function take(log: LogFile, { line, text, offset, next }: StoredLine, path: string): void {
  if (line?.kind === 'header') {
    checkHeader(line.header, path, offset)
    log.header = replaceHeader(line.header, log.header)
  } else if (line?.kind === 'claim') log.claimedAt = line.at
  else if (line?.kind === 'row') {
    if (line.seq !== log.lastSeq + 1) throw damaged(path, offset, `is row ${line.seq}, not ${log.lastSeq + 1}`)
    if (typeof line.event?.type !== 'string') throw damaged(path, offset, 'is a row without an event')
    if ((line.seq - log.floor) % rowsPerMark === 0) log.marks.push(offset)
    log.lastSeq = line.seq
    log.bytes += utf8Length(eventJson(text))
    log.truncated ||= isTruncationMarker(line.event)
    if (line.finishedAt !== undefined) log.header = { finishedAt: line.finishedAt, ...log.header }
  }
  log.end = next
}

function checkHeader(header: AgentEventHeader, path: string, offset: number): void {
  const fault = agentEventHeaderFault(header)
  if (fault !== undefined) throw damaged(path, offset, `has a header that is none: ${fault}`)
}

function damaged(path: string, offset: number, problem: string): LedgerDamagedError {
  return new LedgerDamagedError(null, `${path}, byte ${offset}`, problem)
}
