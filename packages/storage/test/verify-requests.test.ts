import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answerEvent, append, askEvent, idsOf, openRun, terminalEvent } from '../src/conformance/samples.ts'
import type { RequestChanges, Tampered } from './tampered.ts'
import { tamperedMemory } from './tampered-memory.ts'
import { tamperedSqlite } from './tampered-sqlite.ts'

/** Each is done to a session of its own, which asked `open`, `answered` and `unanswered`. */
const damages: Record<string, (ledger: Tampered, sessionId: string) => void> = {
  'a deleted row': (l, id) => l.deleteRequest(id, 'open'),
  'a deleted row of what is answered': (l, id) => l.deleteRequest(id, 'answered'),
  'an answer that nobody gave': changed('open', { state: 'approved' }),
  'a request that was opened again': changed('unanswered', { state: 'open' }),
  'an answer taken away': changed('answered', { state: 'open' }),
  'an answer turned round': changed('answered', { state: 'denied' }),
  'a time put off': changed('open', { expiresAt: 9_000 }),
  'a time taken away': changed('open', { expiresAt: null }),
  'a request that is older': changed('open', { requestedAt: 0 }),
  'another way to wait': changed('open', { wait: 'live' }),
  'another turn': changed('open', { turnId: 'z' }),
  'another run': changed('open', { runId: 'z' }),
  'an added row': (l, id) => l.copyRequest(id, 'open', { requestId: 'added' }),
}

const damagesOfSqlite: typeof damages = {
  'another tenant': changed('open', { tenant: 'other' }),
  'a tenant taken away': changed('open', { tenant: null }),
  'the place of another event': changed('open', { sessionSeq: 2 }),
  'a place without an event': changed('open', { sessionSeq: 99 }),
  'the answer to another request': changed('open', { state: 'approved', answerSessionSeq: 7 }),
  'an answer that is no event': changed('answered', { answerSessionSeq: 99 }),
  'an answer without its event': changed('answered', { answerSessionSeq: null }),
}

function changed(requestId: string, changes: RequestChanges) {
  return (ledger: Tampered, sessionId: string) => ledger.updateRequest(sessionId, requestId, changes)
}

for (const [driver, openLedger, done] of [
  ['memory', tamperedMemory, damages],
  ['sqlite', tamperedSqlite, { ...damages, ...damagesOfSqlite }],
] as const) {
  describe(`verify of requests on ${driver}`, () => {
    let ledger: Tampered
    before(() => (ledger = openLedger()))
    after(() => ledger.dispose())

    async function ask(sessionId: string): Promise<void> {
      const [first, second] = [idsOf(sessionId, `first, ${sessionId}`), idsOf(sessionId, `second, ${sessionId}`)]
      await openRun(ledger.storage, first)
      await append(ledger.storage, first, [askEvent(first, 'unanswered')])
      await append(ledger.storage, first, [terminalEvent(first)])
      await openRun(ledger.storage, second)
      await append(ledger.storage, second, [
        askEvent(second, 'open', { expiresInMs: 50 }),
        askEvent(second, 'answered'),
      ])
      await append(ledger.storage, second, [answerEvent(second, 'answered')])
    }

    for (const [name, damage] of Object.entries(done)) {
      test(`names ${name}`, async () => {
        await ask(name)
        assert.deepEqual((await ledger.storage.events.verifySession(name)).problems, [])
        damage(ledger, name)
        const { problems } = await ledger.storage.events.verifySession(name)
        assert.deepEqual(
          problems.map(({ code, sessionId }) => [code, sessionId]),
          [['requests_differ', name]],
        )
      })
    }

    test('names a row of a session that is not there, and each of the others in its session', async () => {
      await ask('copied')
      ledger.copyRequest('copied', 'open', { sessionId: 'nowhere' })
      const { problems } = await ledger.storage.events.verifyStore()
      assert.deepEqual(
        problems.map(({ code, sessionId }) => `${code} ${sessionId}`).toSorted(),
        [...Object.keys(done), 'nowhere'].map((sessionId) => `requests_differ ${sessionId}`).toSorted(),
      )
    })
  })
}
