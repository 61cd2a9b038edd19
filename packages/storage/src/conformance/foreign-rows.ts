import assert from 'node:assert/strict'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { ForeignRow } from '../foreign-row.ts'
import { assertIndexIsRebuild } from './invocations.ts'
import {
  append,
  foreignRow,
  idsOf,
  openedEvent,
  openRun,
  type RunIds,
  terminalEvent,
  textEvent,
  wholeRun,
} from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

export function foreignRowBehaviour(behaviour: Behaviour): void {
  const withForeignRows: Behaviour = (title, body) => behaviour(title, body, 'insertForeignRows')

  withForeignRows(
    'a straggler is read after all else and changes no answer',
    async ({ storage, insertForeignRows }) => {
      const ids = idsOf('s', 'i')
      await wholeRun(storage, ids)
      const listed = await storage.events.listSessionInvocations('s')
      const straggler = textEvent(ids, 'straggler', 'late', -1)
      await insertForeignRows([foreignRow(straggler, 4)])
      const { eventSeq, sessionSeq, event } = (await storage.events.readSessionRuntimeEvents('s')).at(-1)!
      assert.deepEqual({ eventSeq, sessionSeq, event }, { eventSeq: 4, sessionSeq: 4, event: straggler })
      assert.deepEqual(await storage.events.listSessionInvocations('s'), listed)
      assert.equal((await storage.runs.readRun(ids.runId))?.state, 'completed')
      await assertIndexIsRebuild(storage, 's')
      await assert.rejects(append(storage, ids, [textEvent(ids, 'b')]), { code: 'RUN_SEALED' })
    },
  )

  withForeignRows(
    'of two terminals the first by seq decides, whatever their times',
    async ({ storage, insertForeignRows }) => {
      const ids = idsOf('s', 'i')
      await wholeRun(storage, ids)
      await insertForeignRows([foreignRow(terminalEvent(ids, 'failed', 'second end', -99), 4)])
      const [invocation] = await storage.events.listSessionInvocations('s')
      assert.equal(invocation?.terminalEvent?.status, 'completed')
      await assertIndexIsRebuild(storage, 's')
    },
  )

  withForeignRows('goes on after foreign rows without a gap', async ({ storage, insertForeignRows }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await insertForeignRows([foreignRow(textEvent(ids, 'foreign'), 2)])
    const appended = await append(storage, ids, [textEvent(ids, 'foreign'), textEvent(ids, 'own'), terminalEvent(ids)])
    assert.deepEqual(
      appended.map(({ eventSeq, sessionSeq, duplicate }) => [eventSeq, sessionSeq, duplicate]),
      [
        [2, 2, true],
        [3, 3, false],
        [4, 4, false],
      ],
    )
    const report = await storage.events.verifyStore()
    assert.deepEqual([report.ok, report.notes.map((note) => note.code)], [true, ['foreign_row']])
  })

  withForeignRows('a foreign terminal seals, and finishes the run', async ({ storage, insertForeignRows }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await insertForeignRows([foreignRow(terminalEvent(ids, 'aborted'), 2)])
    await assert.rejects(append(storage, ids, [textEvent(ids, 'a')]), { code: 'RUN_SEALED' })
    assert.equal((await storage.runs.readRun(ids.runId))?.state, 'aborted')
    assert.equal(await storage.runs.readActiveRun('s'), undefined)
    assert.equal((await storage.events.listSessionInvocations('s'))[0]?.terminalEvent?.status, 'aborted')
    await assertIndexIsRebuild(storage, 's')
  })

  withForeignRows(
    'reads a ledger of foreign rows alone, in a session nobody created',
    async ({ storage, insertForeignRows }) => {
      const ids = idsOf('s', 'i')
      const events = [openedEvent(ids, 5), textEvent(ids, 'a'), terminalEvent(ids, 'waiting')]
      await insertForeignRows(events.map((event, index) => foreignRow(event, index + 1)))
      const stored = await storage.events.readSessionRuntimeEvents('s')
      assert.deepEqual(
        stored.map(({ event, sessionSeq, committedAt }) => ({ event, sessionSeq, committedAt })),
        [
          { event: events[0], sessionSeq: 1, committedAt: 9_999 },
          { event: events[1], sessionSeq: 2, committedAt: 9_999 },
          { event: events[2], sessionSeq: 3, committedAt: 9_999 },
        ],
      )
      assert.deepEqual((await storage.events.readRunRuntimeEvents(ids.runId)).items, stored)
      assert.equal((await storage.events.listSessionInvocations('s'))[0]?.terminalEvent?.status, 'waiting')
      await assertIndexIsRebuild(storage, 's')
    },
  )

  withForeignRows('keeps fields and statuses that it does not know', async ({ storage, insertForeignRows }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const strange = { ...textEvent(ids, 'a'), status: 'paused', novelty: { deep: [1] } } as unknown as RuntimeEvent
    await insertForeignRows([foreignRow(strange, 2)])
    assert.deepEqual((await storage.events.readSessionRuntimeEvents('s'))[1]?.event, strange)
    assert.equal('terminalEvent' in (await storage.events.listSessionInvocations('s'))[0]!, false)
    await assertIndexIsRebuild(storage, 's')
  })

  withForeignRows(
    'takes a payload that is no JSON, says so on reading it, and reads other sessions',
    async ({ storage, insertForeignRows }) => {
      const [ids, other] = [idsOf('s', 'i'), idsOf('t', 'j')]
      for (const run of [ids, other]) await wholeRun(storage, run)
      await insertForeignRows([foreignRow(textEvent(ids, 'a'), 4, { payload_json: '{' })])
      await assert.rejects(storage.events.readSessionRuntimeEvents('s'), { code: 'LEDGER_DAMAGED', sessionId: 's' })
      assert.equal((await storage.events.readSessionRuntimeEvents('t')).length, 3)
      const report = await storage.events.verifyStore()
      assert.deepEqual(
        report.problems.map(({ code, sessionId, eventSeq }) => [code, sessionId, eventSeq]),
        [['unreadable', 's', 4]],
      )
    },
  )

  withForeignRows(
    'knows a row by its columns, whatever event its payload was copied from',
    async ({ storage, insertForeignRows }) => {
      const [ids, other] = [idsOf('s', 'i'), idsOf('t', 'j')]
      await openRun(storage, ids)
      const copy = textEvent(other, 'a', 'copied')
      await insertForeignRows([foreignRow(copy, 2, { ...columnsOf(ids), event_id: 'b' })])
      await append(storage, ids, [terminalEvent(ids)])
      const ofAnotherRun = { ...columnsOf(ids), event_id: 'c', run_id: 'another run', turn_id: 'another turn' }
      await insertForeignRows([
        foreignRow(copy, 4, ofAnotherRun),
        foreignRow(terminalEvent(other, 'failed'), 5, { ...columnsOf(ids), event_id: 'd' }),
        foreignRow(openedEvent(other), 1, { ...columnsOf(idsOf('s', 'k')), event_id: 'e' }),
      ])
      const read = await storage.events.readSessionRuntimeEvents('s')
      assert.deepEqual(
        read.map(({ event }) => [event.id, event.sessionId, event.invocationId, event.runId, event.turnId]),
        [
          ['opened', 's', 'i', ids.runId, ids.turnId],
          ['b', 's', 'i', ids.runId, ids.turnId],
          ['ended', 's', 'i', ids.runId, ids.turnId],
          ['c', 's', 'i', 'another run', 'another turn'],
          ['d', 's', 'i', ids.runId, ids.turnId],
          ['e', 's', 'k', 'run of k', 'turn of k'],
        ],
      )
      assert.deepEqual(read[1]?.event.content, copy.content)
      assert.deepEqual(
        (await storage.events.listSessionInvocations('s')).map(({ invocationId }) => invocationId),
        ['i', 'k'],
      )
      await assertIndexIsRebuild(storage, 's')
      const { problems, notes } = await storage.events.verifyStore()
      assert.deepEqual(problems, [])
      assert.deepEqual(
        notes.map(({ code, eventSeq }) => [code, eventSeq]).filter(([code]) => code !== 'unfinished'),
        [
          ['foreign_row', 2],
          ['straggler', 4],
          ['straggler', 5],
          ['foreign_row', 1],
        ],
      )
    },
  )
}

function columnsOf({ sessionId, invocationId, runId, turnId }: RunIds): Partial<ForeignRow> {
  return { session_id: sessionId, invocation_id: invocationId, run_id: runId, turn_id: turnId }
}
