import { readSync } from 'node:fs'
import type { AgentEvent, AgentEventHeader, AgentEventRecord } from '@daybook/core'

/** A line of a log's file. Unknown kinds are skipped: newer code writes some. */
export type LogLine = HeaderLine | RowLine | ClaimLine

/** The first line, and again whenever the header is replaced. */
export interface HeaderLine {
  readonly kind: 'header'
  /** Of the first line: names this file, so that a cached offset is not taken to another one of the same name. */
  readonly file?: string
  readonly header: AgentEventHeader
  /** Of the first line of a log that was trimmed: what the rows before said. */
  readonly trimmed?: {
    readonly lastSeq: number
    readonly bytes: number
    readonly truncated: boolean
    readonly claimedAt: number | null
  }
}

export interface RowLine {
  readonly kind: 'row'
  readonly seq: number
  readonly writeId?: string
  readonly finishedAt?: number
  /** The last member of its line. */
  readonly event: AgentEvent
}

export interface ClaimLine {
  readonly kind: 'claim'
  readonly at: number
}

/** A whole line as it stands in the file. */
export interface StoredLine {
  /** Undefined for what is no JSON object. */
  readonly line: LogLine | undefined
  readonly text: string
  readonly offset: number
  /** Where the next one begins. */
  readonly next: number
}

const chunkBytes = 256 * 1024
const beforeEvent = ',"event":'

/** The whole lines between two offsets, the first of which begins a line. */
export function* readLines(descriptor: number, from: number, to: number): Generator<StoredLine> {
  let rest: Buffer = Buffer.alloc(0)
  let offset = from
  for (let position = from; position < to;) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, to - position))
    const read = readSync(descriptor, chunk, 0, chunk.length, position)
    if (read === 0) return
    position += read
    rest = Buffer.concat([rest, chunk.subarray(0, read)])
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const text = rest.toString('utf8', 0, end)
      const next = offset + end + 1
      yield { line: parseLine(text), text, offset, next }
      rest = rest.subarray(end + 1)
      offset = next
    }
  }
}

export function encodeRow({ seq, json, writeId, finishedAt }: AgentEventRecord): string {
  const row = { kind: 'row', seq, ...(writeId !== null && { writeId }), ...(finishedAt !== null && { finishedAt }) }
  return `${JSON.stringify(row).slice(0, -1)}${beforeEvent}${json}}\n`
}

export function encodeLine(line: HeaderLine | ClaimLine): string {
  return `${JSON.stringify(line)}\n`
}

/** The event's JSON as it was stored. No text before it can hold what leads to it: JSON escapes its quotes. */
export function eventJson(text: string): string {
  return text.slice(text.indexOf(beforeEvent) + beforeEvent.length, -1)
}

function parseLine(text: string): LogLine | undefined {
  try {
    const line: LogLine | null = JSON.parse(text)
    return typeof line === 'object' && line !== null && typeof line.kind === 'string' ? line : undefined
  } catch {
    return undefined
  }
}
