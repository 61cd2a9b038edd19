import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkHistory, type FinalRow, type HistoryEntry, type HistoryFault } from '@daybook/testing'
import fc from 'fast-check'
import { anyHistory, type RandomHistory } from './random-history.ts'

const ofKind = <Kind extends HistoryEntry['kind']>(history: readonly HistoryEntry[], kind: Kind) =>
  history.filter((entry): entry is HistoryEntry & { kind: Kind } => entry.kind === kind)

/** The requests that wrote something new. */
const writesIn = (history: readonly HistoryEntry[]) =>
  ofKind(history, 'append').filter(({ events }) => !events[0]!.duplicate)

const isRowOf =
  ({ invocationId }: { invocationId: string }, { eventId }: { eventId: string }) =>
  (row: FinalRow): boolean =>
    row.invocationId === invocationId && row.eventId === eventId

/** All the ways to break this one promise in a history that keeps every promise. */
const breaks: Readonly<Record<HistoryFault['code'], (given: RandomHistory) => RandomHistory[]>> = {
  missing: ({ history, rows }) =>
    ofKind(history, 'append').flatMap((append) =>
      append.events.map((event) => {
        const isLost = isRowOf(append, event)
        return { history, rows: rows.filter((row) => !isLost(row)) }
      }),
    ),
  acknowledged_twice: ({ history, rows }) => writesIn(history).map((write) => ({ history: [...history, write], rows })),
  seq_differs: ({ history, rows }) =>
    ofKind(history, 'append').map((append) => {
      const [first, ...more] = append.events
      const events = [{ ...first!, eventSeq: first!.eventSeq + 1 }, ...more]
      return { history: history.with(history.indexOf(append), { ...append, events }), rows }
    }),
  duplicated: ({ history, rows }) => rows.map((row) => ({ history, rows: [...rows, row] })),
  seq_gap: ({ history, rows }) =>
    rows.map(({ invocationId, eventSeq }) => {
      const isMoved = (row: FinalRow) => row.invocationId === invocationId && row.eventSeq >= eventSeq
      return { history, rows: rows.map((row) => (isMoved(row) ? { ...row, eventSeq: row.eventSeq + 1 } : row)) }
    }),
  session_seq_gap: ({ history, rows }) =>
    rows.map(({ sessionId, sessionSeq }) => {
      const isMoved = (row: FinalRow) => row.sessionId === sessionId && row.sessionSeq >= sessionSeq
      return { history, rows: rows.map((row) => (isMoved(row) ? { ...row, sessionSeq: row.sessionSeq + 1 } : row)) }
    }),
  terminal_repeated: ({ history, rows }) =>
    rows
      .filter((row) => row.terminal)
      .map((row) => ({ history, rows: [...rows, { ...row, eventId: 'other', eventSeq: row.eventSeq + 1 }] })),
  not_sealed: ({ history, rows }) =>
    rows
      .filter((row) => row.terminal)
      .map((row) => ({ history, rows: [...rows, { ...row, terminal: false, eventSeq: row.eventSeq + 1 }] })),
  stale_owner: ({ history, rows }) =>
    writesIn(history)
      .filter(({ epoch }) => epoch > 1)
      .flatMap((write) =>
        ofKind(history, 'claim')
          .filter(({ invocationId, endedAt }) => invocationId === write.invocationId && endedAt < write.startedAt)
          .map(({ epoch }) => ({
            history: history.with(history.indexOf(write), { ...write, epoch: epoch - 1 }),
            rows,
          })),
      ),
  claimed_twice: ({ history, rows }) =>
    ofKind(history, 'claim').map((claim) => ({ history: [...history, claim], rows })),
  real_time_order: ({ history, rows }) =>
    writesIn(history).flatMap((later) =>
      writesIn(history)
        .filter(({ sessionId, endedAt }) => sessionId === later.sessionId && endedAt < later.startedAt)
        .map((earlier) => {
          const [one, other] = [earlier, later].map((write) => rows.find(isRowOf(write, write.events[0]!))!)
          const placeOf = (row: FinalRow) => (row === one ? other! : row === other ? one! : row).sessionSeq
          return { history, rows: rows.map((row) => ({ ...row, sessionSeq: placeOf(row) })) }
        }),
    ),
  not_a_prefix: ({ history, rows }) =>
    ofKind(history, 'read')
      .filter(({ events }) => events.length > 1)
      .map((read) => ({
        history: history.with(history.indexOf(read), { ...read, events: read.events.toReversed() }),
        rows,
      })),
  stale_read: ({ history, rows }) =>
    ofKind(history, 'read')
      .filter((read) =>
        writesIn(history).some(({ sessionId, endedAt }) => sessionId === read.sessionId && endedAt < read.startedAt),
      )
      .map((read) => ({ history: history.with(history.indexOf(read), { ...read, events: [] }), rows })),
}

describe('checkHistory', () => {
  test('finds nothing where every promise was kept', () => {
    fc.assert(fc.property(anyHistory, ({ history, rows }) => assert.deepEqual(checkHistory(history, rows), [])))
  })

  for (const [code, waysToBreak] of Object.entries(breaks)) {
    test(`finds what is broken: ${code}`, () => {
      const property = fc.property(anyHistory, fc.nat(), (given, choice) => {
        const ways = waysToBreak(given)
        fc.pre(ways.length > 0)
        const { history, rows } = ways[choice % ways.length]!
        const found = checkHistory(history, rows).map((fault) => fault.code)
        assert.ok(found.includes(code as HistoryFault['code']), `found only ${found.join()}`)
      })
      fc.assert(property, { numRuns: 50 })
    })
  }
})
