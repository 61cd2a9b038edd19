import assert from 'node:assert/strict'
import { append, foreignRow, idsOf, openRun, sessionRecord, terminalEvent, textEvent, wholeRun } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

export function verifyBehaviour(behaviour: Behaviour): void {
  behaviour('finds nothing wrong with what was written through it, and counts it', async ({ storage }) => {
    await storage.sessions.create(sessionRecord('empty'))
    await wholeRun(storage, idsOf('s', 'i'))
    await wholeRun(storage, idsOf('s', 'j'))
    await wholeRun(storage, idsOf('t', 'k'))
    const clean = { ok: true, logs: 0, agentEvents: 0, problems: [], notes: [], omittedProblems: 0, omittedNotes: 0 }
    assert.deepEqual(await storage.events.verifyStore(), { ...clean, sessions: 3, invocations: 3, events: 9 })
    assert.deepEqual(await storage.events.verifySession('s'), { ...clean, sessions: 1, invocations: 2, events: 6 })
    assert.deepEqual(await storage.events.verifySession('empty'), { ...clean, sessions: 1, invocations: 0, events: 0 })
  })

  behaviour('notes what has not ended', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [textEvent(ids, 'a')])
    const report = await storage.events.verifySession('s')
    assert.deepEqual(
      [report.ok, report.notes.map(({ code, invocationId }) => [code, invocationId])],
      [true, [['unfinished', 'i']]],
    )
    await append(storage, ids, [terminalEvent(ids)])
    assert.deepEqual((await storage.events.verifySession('s')).notes, [])
  })

  behaviour('refuses a session of which nothing is stored', async ({ storage }) => {
    await assert.rejects(storage.events.verifySession('none'), { code: 'SESSION_NOT_FOUND', sessionId: 'none' })
    assert.deepEqual((await storage.events.verifyStore()).sessions, 0)
  })

  behaviour('covers more events than a page holds', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    for (let batch = 0; batch < 3; batch += 1) {
      await append(
        storage,
        ids,
        Array.from({ length: 400 }, (_, index) => textEvent(ids, `e${batch} ${index}`)),
      )
    }
    await append(storage, ids, [terminalEvent(ids)])
    const report = await storage.events.verifyStore()
    assert.deepEqual([report.ok, report.events, report.problems], [true, 1202, []])
  })

  behaviour(
    'does not mind how a foreign writer spells an event, or what kind it gives it',
    async ({ storage, insertForeignRows }) => {
      const ids = idsOf('s', 'i')
      await wholeRun(storage, ids)
      const payload_json = ` ${JSON.stringify(textEvent(ids, 'late'))}`
      await insertForeignRows([foreignRow(textEvent(ids, 'late'), 4, { payload_json, event_kind: 'whatever' })])
      const report = await storage.events.verifyStore()
      assert.deepEqual([report.problems, report.notes.map(({ code }) => code)], [[], ['straggler']])
    },
    'insertForeignRows',
  )

  behaviour(
    'notes foreign rows, and stragglers as such, without calling them wrong',
    async ({ storage, insertForeignRows }) => {
      const [ids, foreign] = [idsOf('s', 'i'), idsOf('s', 'j')]
      await openRun(storage, ids)
      await insertForeignRows([foreignRow(textEvent(ids, 'between'), 2)])
      await append(storage, ids, [terminalEvent(ids)])
      await insertForeignRows([foreignRow(textEvent(ids, 'after'), 4), foreignRow(textEvent(foreign, 'alone'), 1)])
      const report = await storage.events.verifyStore()
      assert.deepEqual(
        report.notes.map(({ code, invocationId, eventSeq }) => [code, invocationId, eventSeq]),
        [
          ['foreign_row', 'i', 2],
          ['straggler', 'i', 4],
          ['foreign_row', 'j', 1],
        ],
      )
      assert.deepEqual(
        report.problems.map(({ code, invocationId }) => [code, invocationId]),
        [['opening_missing', 'j']],
      )
    },
    'insertForeignRows',
  )
}
