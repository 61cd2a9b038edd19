import type { AgentEventRecord } from '@daybook/core'

/** Rows that stand in one row of the table, a line for each: JSON text has no line breaks. They were written at once. */
export interface JoinedRows {
  readonly lastSeq: number
  /** Of the first of them; the others have none. */
  readonly writeId: string | null
  readonly lines: string
}

/** More UTF-16 units are not joined, nor more rows, so that who reads a few rows reads little else. */
const maxJoinedLength = 65_536
const maxJoinedRows = 1000

/** The rows of one write, in the order of `seq`, in as few rows of the table as may be: each is an insert and an entry in an index. */
export function joinRows(rows: readonly AgentEventRecord[]): JoinedRows[] {
  const joined: JoinedRows[] = []
  let count = 0
  for (const { seq, writeId, json } of rows) {
    const last = joined.at(-1)
    const isFull = (last?.lines.length ?? 0) + json.length > maxJoinedLength || ++count > maxJoinedRows
    if (last !== undefined && writeId === null && !isFull) {
      joined[joined.length - 1] = { ...last, lastSeq: seq, lines: `${last.lines}\n${json}` }
    } else {
      joined.push({ lastSeq: seq, writeId, lines: json })
      count = 1
    }
  }
  return joined
}

/** The JSON of each row, and its seq. More rows than can be joined are one, which is not JSON. */
export function splitRows(lastSeq: number, lines: string): (readonly [seq: number, json: string])[] {
  const texts = lines.split('\n', maxJoinedRows + 1)
  if (texts.length > maxJoinedRows) return [[lastSeq, lines]]
  return texts.map((json, index) => [lastSeq - texts.length + 1 + index, json])
}
