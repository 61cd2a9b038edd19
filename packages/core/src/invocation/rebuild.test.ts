import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ended, ledgerOf, opened, said, text, type Fact } from '../../test/ledger-of.ts'
import { compareInvocations, invocationState, runtimeInvocationsFromSessionEvents } from '../runtime-invocation.ts'
import type { InvocationRecord } from '../runtime-invocation.ts'
import type { RuntimeEvent, StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'

const rebuild = (events: readonly StoredRuntimeEvent[]): InvocationRecord[] =>
  runtimeInvocationsFromSessionEvents('session', events)

describe('runtimeInvocationsFromSessionEvents', () => {
  test('gives a record per opening, without a key for a terminal that is not there', () => {
    const events = ledgerOf([opened('a'), said('a', 'hi'), ended('a', 'failed'), opened('b')])
    const records = rebuild(events)
    assert.deepEqual(records, [
      {
        sessionId: 'session',
        invocationId: 'a',
        runId: 'run-a',
        turnId: 'turn-a',
        openedAt: 1000,
        opening: events[0]?.event.content,
        terminalEvent: events[2]?.event,
      },
      {
        sessionId: 'session',
        invocationId: 'b',
        runId: 'run-b',
        turnId: 'turn-b',
        openedAt: 1003,
        opening: events[3]?.event.content,
      },
    ])
    assert.equal('terminalEvent' in (records[1] ?? {}), false)
  })

  test('lets the first terminal by event seq decide, whatever the clocks say and whatever follows', () => {
    const events = ledgerOf([
      opened('a', undefined, { ts: 900 }),
      ended('a', 'completed', { ts: 800 }),
      text('a', 'straggler'),
      ended('a', 'failed', { ts: 2 }),
    ])
    assert.equal(rebuild(events.toReversed())[0]?.terminalEvent?.status, 'completed')
  })

  test('takes as an opening only event 1 of its kind, and no partial event for anything', () => {
    const partial = { partial: true as false }
    const events = ledgerOf([
      text('late', 'before its opening'),
      opened('late'),
      opened('partial', undefined, partial),
      opened('open'),
      ended('open', 'failed', partial),
      opened('no time', undefined, { ts: 0.5 }),
    ])
    assert.deepEqual(
      rebuild(events).map((record) => [record.invocationId, invocationState(record)]),
      [['open', 'running']],
    )
  })

  test('orders by opened time, then by code point of the id', () => {
    const ids = ['\u{1F600}', '\uFFFD', 'ä', 'a', 'B', '10', '9', 'Z', '_']
    const facts = [...ids.map((id) => opened(id, undefined, { ts: 7 })), opened('first', undefined, { ts: -8 })]
    assert.deepEqual(
      rebuild(ledgerOf(facts)).map((record) => record.invocationId),
      ['first', '10', '9', 'B', 'Z', '_', 'a', 'ä', '\uFFFD', '\u{1F600}'],
    )
  })

  test('answers what the index decides by column, in any order of the events', () => {
    const id = fc.constantFrom('a', 'A', 'b', '\uFFFD', '\u{1F600}')
    const ts = fc.integer({ min: -2, max: 2 })
    const status = fc.constantFrom('completed' as const, 'failed' as const, 'waiting' as const)
    const anyFact: fc.Arbitrary<Fact> = fc
      .tuple(id, ts, status, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }))
      .map(([invocationId, at, how, kind, exception]) => {
        const partial = (exception === 0) as false
        const more = { ts: at, partial, sessionId: exception === 1 ? 'other' : 'session' }
        if (kind < 4) return opened(invocationId, undefined, more)
        if (kind < 6) return ended(invocationId, how, more)
        if (kind === 6) return { invocationId, actions: { endInvocation: true }, ...more }
        return { ...text(invocationId, 'x'), ...more }
      })
    const anyEvents = fc.array(anyFact, { maxLength: 30 }).chain((facts) => {
      const events = ledgerOf(facts)
      return fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length }))
    })
    fc.assert(
      fc.property(anyEvents, ([events, shuffled]) => assert.deepEqual(rebuild(shuffled), indexByColumns(events))),
      { numRuns: 2000 },
    )
  })
})

/** The index as one would write it in SQL: a correlated query per opening row, ordered by bytes of UTF-8. */
function indexByColumns(rows: readonly StoredRuntimeEvent[]): unknown[] {
  const mine = rows.filter(({ event }) => event.sessionId === 'session' && (event.partial as boolean) !== true)
  const terminal = (event: RuntimeEvent): boolean => event.status !== undefined || event.actions?.endInvocation === true
  return mine
    .filter(({ event, eventSeq }) => eventSeq === 1 && event.content?.kind === 'invocation_opened')
    .map(({ event: { sessionId, invocationId, runId, turnId, ts, content } }) => {
      const [first] = mine
        .filter(({ event }) => event.invocationId === invocationId && terminal(event))
        .sort((a, b) => a.eventSeq - b.eventSeq)
      const record = { sessionId, invocationId, runId, turnId, openedAt: ts, opening: content }
      return first === undefined ? record : { ...record, terminalEvent: first.event }
    })
    .sort((a, b) => a.openedAt - b.openedAt || Buffer.compare(Buffer.from(a.invocationId), Buffer.from(b.invocationId)))
}

describe('compareInvocations', () => {
  test('gives 0 only for the same time and id', () => {
    assert.equal(compareInvocations({ openedAt: 1, invocationId: 'a' }, { openedAt: 1, invocationId: 'a' }), 0)
    assert.ok(compareInvocations({ openedAt: 1, invocationId: 'b' }, { openedAt: 2, invocationId: 'a' }) < 0)
  })
})

describe('invocationState', () => {
  test('is the status of the terminal event, completed where it has none, and running without one', () => {
    const terminalEvent = (more: Partial<RuntimeEvent>): { terminalEvent: RuntimeEvent } => ({
      terminalEvent: { ...ledgerOf([{ invocationId: 'a' }])[0]?.event, ...more } as RuntimeEvent,
    })
    for (const status of ['completed', 'failed', 'aborted', 'cancelled', 'waiting'] as const) {
      assert.equal(invocationState(terminalEvent({ status })), status)
    }
    assert.equal(invocationState(terminalEvent({ actions: { endInvocation: true } })), 'completed')
    assert.equal(
      invocationState(terminalEvent({ status: 'of_tomorrow' as never, actions: { endInvocation: true } })),
      'completed',
    )
    assert.equal(invocationState({}), 'running')
  })
})
