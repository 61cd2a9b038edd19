import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { VerifyReport } from '@daybook/core'
import {
  append,
  foreignRow,
  idsOf,
  openRun,
  type RunIds,
  terminalEvent,
  textEvent,
  wholeRun,
} from '../src/conformance/samples.ts'
import { sha256 } from '../src/sha256.ts'
import type { Tampered } from './tampered.ts'
import { tamperedMemory } from './tampered-memory.ts'
import { tamperedSqlite } from './tampered-sqlite.ts'

/**
 * Each is done to a session of its own, in which `whole` has events 1–4 (opening, a, b, end) at session seqs 1–4, and
 * `open` has events 1–3 and no end.
 */
interface Damage {
  readonly does: (ledger: Tampered, whole: RunIds, open: RunIds) => void
  /** The codes that verify gives, in any order. */
  readonly problems?: readonly string[]
  readonly notes?: readonly string[]
}

function flip(ledger: Tampered, ids: RunIds, from: string, to: string, eventSeq: number = 2): void {
  const payload = ledger.payloadOf(ids, eventSeq)
  assert.ok(payload.includes(from))
  ledger.updateEvent(ids, eventSeq, { payload: payload.replace(from, to) })
}

const damages: Record<string, Damage> = {
  'no damage': { does() {} },
  'a deleted row': {
    does: (l, whole) => l.deleteEvent(whole, 2),
    problems: ['seq_gap', 'session_seq_gap', 'ledger_digest', 'head_differs'],
  },
  'a deleted row of an unfinished invocation': {
    does: (l, _, open) => l.deleteEvent(open, 2),
    problems: ['seq_gap', 'session_seq_gap', 'head_differs'],
  },
  'a deleted opening': {
    does: (l, _, open) => l.deleteEvent(open, 1),
    problems: ['head_differs', 'opening_missing', 'seq_gap', 'session_seq_gap'],
  },
  'a deleted terminal': {
    does: (l, whole) => l.deleteEvent(whole, 4),
    problems: ['head_differs', 'run_differs', 'session_seq_gap'],
  },
  'a deleted last row': { does: (l, _, open) => l.deleteEvent(open, 3), problems: ['head_differs'] },
  'all rows of an invocation deleted': {
    does: (l, _, open) => [1, 2, 3].forEach((seq) => l.deleteEvent(open, seq)),
    problems: ['head_differs'],
  },
  'two swapped event seqs': {
    does(l, whole) {
      l.updateEvent(whole, 2, { eventSeq: 99 })
      l.updateEvent(whole, 3, { eventSeq: 2 })
      l.updateEvent(whole, 99, { eventSeq: 3 })
    },
    problems: ['order_differs', 'ledger_digest', 'head_differs'],
  },
  'two swapped event seqs of an unfinished invocation': {
    does(l, _, open) {
      l.updateEvent(open, 2, { eventSeq: 99 })
      l.updateEvent(open, 3, { eventSeq: 2 })
      l.updateEvent(open, 99, { eventSeq: 3 })
    },
    problems: ['order_differs', 'head_differs'],
  },
  'two swapped session seqs': {
    does(l, whole) {
      l.updateEvent(whole, 2, { sessionSeq: 99 })
      l.updateEvent(whole, 3, { sessionSeq: 2 })
      l.updateEvent(whole, 2, { sessionSeq: 3 })
    },
    problems: ['order_differs', 'ledger_digest', 'head_differs'],
  },
  'session seqs of two invocations, swapped so that each keeps its order': {
    does(l, whole, open) {
      l.updateEvent(whole, 4, { sessionSeq: 99 })
      l.updateEvent(open, 1, { sessionSeq: 4 })
      l.updateEvent(whole, 4, { sessionSeq: 5 })
    },
    problems: ['head_differs'],
  },
  'two swapped rows, seqs and all': {
    does(l, whole) {
      l.updateEvent(whole, 2, { eventSeq: 99, sessionSeq: 99 })
      l.updateEvent(whole, 3, { eventSeq: 2, sessionSeq: 2 })
      l.updateEvent(whole, 99, { eventSeq: 3, sessionSeq: 3 })
    },
    problems: ['ledger_digest', 'head_differs'],
  },
  'a session seq that is missing': {
    does: (l, _, open) => l.updateEvent(open, 3, { sessionSeq: 50 }),
    problems: ['session_seq_gap', 'head_differs'],
  },
  'a flipped byte of a text': {
    does: (l, whole) => flip(l, whole, '"text":"a"', '"text":"A"'),
    problems: ['payload_digest'],
  },
  'a flipped byte of an event id': {
    does: (l, whole) => flip(l, whole, '"id":"a"', '"id":"A"'),
    problems: ['payload_digest', 'columns_differ'],
  },
  'a flipped byte of a session id': {
    does: (l, whole) => flip(l, whole, '"sessionId":"a', '"sessionId":"A'),
    problems: ['payload_digest', 'columns_differ'],
  },
  'a flipped byte of an invocation id': {
    does: (l, whole) => flip(l, whole, '"invocationId":"whole', '"invocationId":"wHole', 4),
    problems: ['columns_differ', 'index_differs', 'payload_digest'],
  },
  'a flipped byte of the JSON': {
    does: (l, whole) => flip(l, whole, '{', '['),
    problems: ['payload_digest', 'unreadable'],
  },
  'a flipped byte of the spacing': {
    does: (l, whole) => flip(l, whole, ',"id"', ', "id"'),
    problems: ['payload_digest', 'not_canonical'],
  },
  'a flipped byte of a member name': {
    does: (l, whole) => flip(l, whole, '"partial"', '"partiaL"'),
    problems: ['payload_digest', 'unreadable'],
  },
  'a flipped byte of a status': {
    does: (l, whole) => flip(l, whole, '"completed"', '"Completed"', 4),
    problems: ['columns_differ', 'payload_digest'],
  },
  'a flipped byte of the opened time': {
    does: (l, whole) => flip(l, whole, '"ts":1', '"ts":2', 1),
    problems: ['columns_differ', 'payload_digest', 'run_differs'],
  },
  'a flipped byte of the opening kind': {
    does: (l, whole) => flip(l, whole, 'invocation_opened"', 'invocation_Opened"', 1),
    problems: ['columns_differ', 'index_differs', 'opening_missing', 'payload_digest'],
  },
  'a flipped byte of the terminal’s ledger digest': {
    does(l, whole) {
      const payload = l
        .payloadOf(whole, 4)
        .replace(/("ledgerDigest":")(.)/, (_, key, digit) => `${key}${digit === '0' ? '1' : '0'}`)
      l.updateEvent(whole, 4, { payload })
    },
    problems: ['payload_digest', 'ledger_digest'],
  },
  'bytes that are no UTF-8': {
    does: (l, whole) => l.updateEvent(whole, 2, { payload: Buffer.from([0x7b, 0xff, 0x7d]) }),
    problems: ['payload_digest', 'unreadable'],
  },
  'an empty payload': {
    does: (l, whole) => l.updateEvent(whole, 2, { payload: '' }),
    problems: ['payload_digest', 'unreadable'],
  },
  'a payload changed together with its digest': {
    does(l, whole) {
      const payload = l.payloadOf(whole, 2).replace('"text":"a"', '"text":"A"')
      l.updateEvent(whole, 2, { payload, payloadDigest: sha256(payload) })
    },
    problems: ['ledger_digest', 'head_differs'],
  },
  'a payload changed and its digest taken away': {
    does(l, _, open) {
      const payload = l.payloadOf(open, 2).replace('"text":"a"', '"text":"A"')
      l.updateEvent(open, 2, { payload, payloadDigest: null })
    },
    problems: ['head_differs'],
    notes: ['foreign_row'],
  },
  'a changed digest': {
    does: (l, whole) => l.updateEvent(whole, 2, { payloadDigest: '0'.repeat(64) }),
    problems: ['payload_digest', 'ledger_digest', 'head_differs'],
  },
  'an edited event id': {
    does: (l, whole) => l.updateEvent(whole, 2, { eventId: 'z' }),
    problems: ['columns_differ'],
  },
  'an edited run id': {
    does: (l, whole) => l.updateEvent(whole, 2, { runId: 'z' }),
    problems: ['columns_differ'],
  },
  'an edited turn id': {
    does: (l, whole) => l.updateEvent(whole, 2, { turnId: 'z' }),
    problems: ['columns_differ'],
  },
  'an edited event kind': {
    does: (l, whole) => l.updateEvent(whole, 2, { eventKind: 'z' }),
    problems: ['columns_differ'],
  },
  'a terminal flag taken away': {
    does: (l, whole) => l.updateEvent(whole, 4, { terminal: false }),
    problems: ['columns_differ', 'index_differs'],
  },
  'a terminal flag set': {
    does: (l, whole) => l.updateEvent(whole, 2, { terminal: true }),
    problems: ['columns_differ', 'index_differs'],
  },
  'an edited opened time': {
    does: (l, whole) => l.updateEvent(whole, 1, { openedAt: 2 }),
    problems: ['columns_differ'],
  },
  'an opened time taken away': {
    does: (l, whole) => l.updateEvent(whole, 1, { openedAt: null }),
    problems: ['columns_differ', 'index_differs'],
  },
  'a deleted head': { does: (l, whole) => l.deleteHead(whole), problems: ['head_differs'] },
  'a raised head': { does: (l, whole) => l.updateHead(whole, { head: 5 }), problems: ['head_differs'] },
  'a lowered head': { does: (l, _, open) => l.updateHead(open, { head: 2 }), problems: ['head_differs'] },
  'a seal taken away': {
    does: (l, whole) => l.updateHead(whole, { terminalSeq: null }),
    problems: ['head_differs'],
  },
  'a seal that no terminal set': {
    does: (l, _, open) => l.updateHead(open, { terminalSeq: 3 }),
    problems: ['head_differs'],
  },
  'a changed chain': {
    does: (l, _, open) => l.updateHead(open, { ledgerDigest: '0'.repeat(64) }),
    problems: ['head_differs'],
  },
  'a changed end of the chain': {
    does: (l, _, open) => l.updateHead(open, { ledgerDigestSeq: 2 }),
    problems: ['head_differs'],
  },
  'a changed epoch': { does: (l, _, open) => l.updateHead(open, { epoch: 2 }), problems: ['run_differs'] },
  'a head of another run': { does: (l, _, open) => l.updateHead(open, { runId: 'z' }), problems: ['head_differs'] },
  'a head of another turn': {
    does: (l, _, open) => l.updateHead(open, { turnId: 'z' }),
    problems: ['head_differs'],
  },
  'a deleted run': { does: (l, whole) => l.deleteRun(whole), problems: ['run_differs'] },
  'a run that is finished too early': {
    does: (l, _, open) => l.updateRun(open, { finishedAt: 5, state: 'completed' }),
    problems: ['run_differs'],
  },
  'a run that is not finished': {
    does: (l, whole) => l.updateRun(whole, { finishedAt: null }),
    problems: ['run_differs'],
  },
  'a run in another state': {
    does: (l, whole) => l.updateRun(whole, { state: 'failed' }),
    problems: ['run_differs'],
  },
  'a run of another turn': { does: (l, whole) => l.updateRun(whole, { turnId: 'z' }), problems: ['run_differs'] },
  'a run with another opened time': {
    does: (l, whole) => l.updateRun(whole, { openedAt: 5 }),
    problems: ['run_differs'],
  },
  'a deleted session': { does: (l, whole) => l.deleteSession(whole), problems: ['session_missing'] },
  'a row after the terminal by a foreign writer': {
    does: (l, whole) => l.insertForeignRow(foreignRow(textEvent(whole, 'late'), 5)),
    notes: ['straggler'],
  },
  'a row after the terminal that Daybook appended': {
    does(l, whole) {
      l.insertForeignRow(foreignRow(textEvent(whole, 'late'), 5))
      l.updateEvent(whole, 5, { payloadDigest: sha256(l.payloadOf(whole, 5)) })
    },
    problems: ['not_sealed', 'head_differs'],
  },
  'a second opening': {
    does: (l, _, open) => l.insertForeignRow(foreignRow({ ...JSON.parse(l.payloadOf(open, 1)), id: 'again' }, 4)),
    problems: ['opening_repeated'],
    notes: ['foreign_row'],
  },
  'an erased payload': {
    does: (l, whole) => l.updateEvent(whole, 2, { payload: '', erasedAt: 7 }),
    notes: ['tombstone'],
  },
  'an erased payload without a digest': {
    does: (l, whole, open) => l.updateEvent(open, 2, { payload: '', erasedAt: 7, payloadDigest: null }),
    problems: ['payload_digest', 'head_differs'],
    notes: ['tombstone'],
  },
}

for (const [driver, openLedger] of Object.entries({ memory: tamperedMemory, sqlite: tamperedSqlite })) {
  describe(`verify on ${driver}`, () => {
    let ledger: Tampered
    before(() => (ledger = openLedger()))
    after(() => ledger.dispose())

    for (const [name, { does, problems = [], notes = [] }] of Object.entries(damages)) {
      test(`names ${name}`, async () => {
        const [whole, open] = [idsOf(name, `whole, ${name}`), idsOf(name, `open, ${name}`)]
        await openRun(ledger.storage, whole)
        await append(ledger.storage, whole, [textEvent(whole, 'a'), textEvent(whole, 'b'), terminalEvent(whole)])
        await openRun(ledger.storage, open, { exclusive: false })
        await append(ledger.storage, open, [textEvent(open, 'a'), textEvent(open, 'b')])
        does(ledger, whole, open)
        const report = await ledger.storage.events.verifySession(name)
        assertFound(report, name, problems, notes)
        assert.equal(report.ok, problems.length === 0)
      })
    }

    test('names all of them at once, each in its session and none elsewhere', async () => {
      await wholeRun(ledger.storage, idsOf('untouched', 'untouched'))
      const report = await ledger.storage.events.verifyStore()
      for (const [name, { problems = [], notes = [] }] of Object.entries(damages)) {
        assertFound(report, name, problems, notes)
      }
      assertFound(report, 'untouched', [], [])
      assert.deepEqual([report.ok, report.sessions], [false, Object.keys(damages).length + 1])
      assert.ok(report.problems.every(({ sessionId }) => sessionId !== null))
    })
  })
}

function assertFound(
  report: VerifyReport,
  sessionId: string,
  problems: readonly string[],
  notes: readonly string[],
): void {
  const codesOf = (found: readonly { sessionId: string | null; code: string }[]) =>
    [...new Set(found.filter((one) => one.sessionId === sessionId).map(({ code }) => code))].sort()
  const all = JSON.stringify(
    report.problems.filter((one) => one.sessionId === sessionId),
    undefined,
    2,
  )
  assert.deepEqual(codesOf(report.problems), problems.toSorted(), all)
  assert.deepEqual(codesOf(report.notes.filter(({ code }) => code !== 'unfinished')), notes.toSorted())
}
