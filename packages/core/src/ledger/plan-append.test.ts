import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ended, ledgerOf, opened, text, type Fact } from '../../test/ledger-of.ts'
import { DaybookError } from '../errors/index.ts'
import type { AppendedEvent } from '../ports/runtime-event-store.ts'
import { isTerminalEvent } from '../runtime-event/terminal.ts'
import { encodeEvents } from './encoded-event.ts'
import { chainLedgerDigest, emptyLedgerDigest } from './ledger-digest.ts'
import { type AppendPlan, emptyHead, type InvocationHead, type LedgerRow, planAppend } from './plan-append.ts'
import type { Sha256 } from './sha256.ts'

const sha256: Sha256 = (value) => hash('sha256', value, 'hex')
const ids = { invocationId: 'i', sessionId: 'session', runId: 'run-i', turnId: 'turn-i' }
const named = (id: string, fact: Fact): Fact => ({ ...fact, id })

/** The least that a store is. */
class Ledger {
  head: InvocationHead = emptyHead(ids, 1)
  sessionHead = 0
  rows: Pick<LedgerRow, 'eventSeq' | 'sessionSeq' | 'json' | 'payloadDigest'>[] = []
  readonly byId = new Map<string, LedgerRow>()

  plan(facts: readonly Fact[], epoch = 1): AppendPlan {
    const events = encodeEvents(
      'i',
      ledgerOf(facts).map(({ event }) => event),
    )
    const state = {
      head: this.head,
      sessionHead: this.sessionHead,
      findRow: (eventId: string) => this.byId.get(eventId),
      digestsAfter: (eventSeq: number) => this.rows.filter((row) => row.eventSeq > eventSeq),
    }
    return planAppend(sha256, state, epoch, events)
  }

  append(facts: readonly Fact[], epoch = 1): readonly AppendedEvent[] {
    const { rows, head, sessionHead, appended } = this.plan(facts, epoch)
    this.rows.push(...rows)
    for (const row of rows) this.byId.set(row.event.id, row)
    Object.assign(this, { head, sessionHead })
    return appended
  }

  /** As a foreign writer does: the head moves on and the chain stays behind. */
  appendForeign(json: string): void {
    const eventSeq = this.head.head + 1
    this.sessionHead += 1
    this.rows.push({ eventSeq, sessionSeq: this.sessionHead, json, payloadDigest: sha256(json) })
    this.head = { ...this.head, head: eventSeq }
  }

  chain(): string {
    return this.rows.reduce((previous, row) => chainLedgerDigest(sha256, previous, row), emptyLedgerDigest)
  }
}

function openLedger(): Ledger {
  const ledger = new Ledger()
  ledger.append([named('opened', opened('i'))])
  return ledger
}

const outcome = (appended: readonly AppendedEvent[]) =>
  appended.map((one) => [one.eventSeq, one.sessionSeq, one.duplicate])

describe('planAppend', () => {
  test('mints both seqs and writes what the event says', () => {
    const ledger = openLedger()
    ledger.sessionHead = 9
    const { rows, appended, head, sessionHead } = ledger.plan([named('a', text('i', 'x')), named('b', text('i', 'y'))])
    assert.deepEqual(outcome(appended), [
      [2, 10, false],
      [3, 11, false],
    ])
    assert.deepEqual(
      rows.map(({ event, eventSeq, sessionSeq }) => [event.id, eventSeq, sessionSeq]),
      [
        ['a', 2, 10],
        ['b', 3, 11],
      ],
    )
    for (const { json, payloadDigest } of rows) assert.equal(payloadDigest, sha256(json))
    assert.deepEqual([head.head, head.terminalSeq, head.ledgerDigestSeq, sessionHead], [3, null, 3, 11])
  })

  test('stamps the terminal event with the chain of the events before it, and seals', () => {
    const ledger = openLedger()
    ledger.append([named('a', text('i', 'x'))])
    const chain = ledger.chain()
    ledger.append([named('b', ended('i', 'completed'))])
    const stored = ledger.byId.get('b')!
    assert.equal(stored.event.actions?.ledgerDigest, chain)
    assert.deepEqual(JSON.parse(stored.json), stored.event)
    assert.equal(ledger.head.terminalSeq, 3)
    assert.throws(() => ledger.plan([named('c', text('i', 'x'))]), { code: 'RUN_SEALED', runId: 'run-i' })
  })

  test('takes a repeat for what it is, also of the terminal event, and also sealed, under any epoch', () => {
    const ledger = openLedger()
    const batch = [named('a', text('i', 'x')), named('b', ended('i', 'failed'))]
    ledger.append(batch)
    const { rows, appended, head } = ledger.plan(batch, 99)
    assert.deepEqual(
      [rows, outcome(appended), head],
      [
        [],
        [
          [2, 2, true],
          [3, 3, true],
        ],
        ledger.head,
      ],
    )
  })

  test('checks the id first, then the run, then the owner, then the seal', () => {
    const ledger = openLedger()
    ledger.append([named('a', text('i', 'x'))])
    ledger.head = { ...ledger.head, epoch: 2 }
    ledger.append([named('b', ended('i', 'completed'))], 2)
    const conflict = { code: 'EVENT_ID_CONFLICT', eventId: 'a', invocationId: 'i' }
    assert.throws(() => ledger.plan([named('a', text('i', 'other'))], 1), conflict)
    assert.throws(() => ledger.plan([{ ...named('a', text('i', 'x')), turnId: 'other' }], 1), conflict)
    assert.throws(() => ledger.plan([named('b', ended('i', 'failed'))], 1), { ...conflict, eventId: 'b' })
    assert.throws(() => ledger.plan([{ ...named('c', text('i', 'x')), runId: 'other' }], 1), {
      code: 'INVALID_EVENT',
      path: '/runId',
    })
    assert.throws(() => ledger.plan([named('c', opened('i'))], 2), { code: 'INVALID_EVENT', path: '/content/kind' })
    assert.throws(() => ledger.plan([named('c', text('i', 'x'))], 1), {
      code: 'STALE_OWNER',
      epoch: 1,
      currentEpoch: 2,
    })
    assert.throws(() => ledger.plan([named('c', text('i', 'x'))], 2), { code: 'RUN_SEALED' })
  })

  test('wants the opening first', () => {
    const empty = new Ledger()
    assert.throws(() => empty.plan([named('a', text('i', 'x'))]), { code: 'INVALID_EVENT', path: '/content/kind' })
    assert.deepEqual(outcome(empty.plan([named('a', opened('i')), named('b', text('i', 'x'))]).appended), [
      [1, 1, false],
      [2, 2, false],
    ])
  })

  test('takes up foreign rows into the chain before it goes on', () => {
    const ledger = openLedger()
    ledger.appendForeign('{"not":"ours"}')
    ledger.appendForeign('nor JSON')
    ledger.append([named('a', text('i', 'x'))])
    assert.deepEqual([ledger.head.head, ledger.head.ledgerDigest], [4, ledger.chain()])
    ledger.appendForeign('{}')
    const chain = ledger.chain()
    ledger.append([named('b', ended('i', 'aborted'))])
    assert.equal(ledger.byId.get('b')?.event.actions?.ledgerDigest, chain)
  })

  test('takes a terminal event of a foreign writer, which has no stamp, for the same without one', () => {
    const ledger = openLedger()
    const [foreign] = ledgerOf([named('b', ended('i', 'completed'))])
    const [{ json, event }] = encodeEvents('i', [foreign!.event]) as [LedgerRow]
    const row = { event, json, eventSeq: 2, sessionSeq: 2, payloadDigest: sha256(json) }
    for (const [stored, code] of [
      [json, undefined],
      [`${json} `, 'EVENT_ID_CONFLICT'],
      ['{', 'EVENT_ID_CONFLICT'],
    ] as const) {
      ledger.byId.set('b', { ...row, json: stored })
      const plan = () => ledger.plan([named('b', ended('i', 'completed'))])
      if (code === undefined) assert.deepEqual(outcome(plan().appended), [[2, 2, true]])
      else assert.throws(plan, { code })
    }
  })

  test('whatever is appended and repeated, the rows are gapless, once each and chained, and the seal is the end', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const fact = fc
      .tuple(id, fc.constantFrom('x', 'y'), fc.integer({ min: 0, max: 9 }))
      .map(([eventId, value, kind]) => named(eventId, kind === 0 ? ended('i', 'completed') : text('i', value)))
    const batch = fc.tuple(fc.array(fact, { minLength: 1, maxLength: 3 }), fc.constantFrom(1, 1, 1, 2))
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 12 }), (batches) => {
        const ledger = openLedger()
        for (const [facts, epoch] of batches) {
          const before = ledger.rows.length
          try {
            const appended = ledger.append(facts, epoch)
            for (const { eventId, eventSeq } of appended) assert.equal(ledger.byId.get(eventId)?.eventSeq, eventSeq)
          } catch (error) {
            assert.ok(DaybookError.is(error), String(error))
            assert.equal(ledger.rows.length, before)
          }
        }
        assert.deepEqual(
          ledger.rows.map((row) => row.eventSeq),
          ledger.rows.map((_, index) => index + 1),
        )
        assert.equal(new Set(ledger.byId.keys()).size, ledger.rows.length)
        assert.equal(ledger.head.ledgerDigest, ledger.chain())
        const terminals = [...ledger.byId.values()].filter(({ event }) => isTerminalEvent(event))
        assert.deepEqual(
          terminals.map((row) => row.eventSeq),
          ledger.head.terminalSeq === null ? [] : [ledger.rows.length],
        )
      }),
      { numRuns: 1_000 },
    )
  })
})
