import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openManager } from '../test/open-manager.ts'
import { storageKinds } from '../test/storages.ts'
import { createMemoryAgentEventLog } from './agent-event-log.ts'
import { type RequestAnswer, SessionManager } from './session-manager.ts'

/** What is no id, no options, no signal and no function, whatever a type checker was told. */
const wrongs: readonly unknown[] = [null, 5, true, '', [], () => {}]

/** A call with something wrong in the place that is named. */
type Call = (manager: SessionManager, sessionId: string, wrong: never) => Promise<unknown>

const messages = (call: (manager: SessionManager, sessionId: string, wrong: never) => AsyncIterable<unknown>): Call =>
  async function (...given) {
    for await (const said of call(...given)) void said
  }
const answers: RequestAnswer[] = [{ requestId: 'r', digest: '0'.repeat(64), decision: 'denied' }]

const ids: Readonly<Record<string, Call>> = {
  readSession: (manager, _, id) => manager.readSession(id),
  listBranches: (manager, _, id) => manager.listBranches(id),
  updateSession: (manager, _, id) => manager.updateSession(id, { changes: {} }),
  listSessionRevisions: (manager, _, id) => manager.listSessionRevisions(id),
  branchSession: (manager, _, id) => manager.branchSession(id, { after: 't' }),
  removeSession: (manager, _, id) => manager.removeSession(id),
  sendMessage: messages((manager, _, id) => manager.sendMessage(id, { text: 'a' })),
  'the turn of sendMessage': messages((manager, id, turnId) => manager.sendMessage(id, { text: 'a', turnId })),
  startTurn: (manager, _, id) => manager.startTurn(id, { text: 'a' }),
  retryTurn: (manager, _, id) => manager.retryTurn(id),
  'the turn of retryTurn': (manager, id, turnId) => manager.retryTurn(id, { turnId }),
  continueTurn: (manager, _, id) => manager.continueTurn(id),
  'the turn of continueTurn': (manager, id, turnId) => manager.continueTurn(id, { turnId }),
  answerRequests: (manager, _, id) => manager.answerRequests(id, { answers }),
  listOpenRequests: (manager, _, sessionId) => manager.listOpenRequests({ sessionId }),
  readRequest: (manager, id, requestId) => manager.readRequest(id, requestId),
  stopSession: (manager, _, id) => manager.stopSession(id),
  follow: (manager, _, id) => manager.follow(id),
  listInvocations: (manager, _, id) => manager.listInvocations(id),
  transcript: (manager, _, id) => manager.transcript(id),
  transcriptPage: (manager, _, id) => manager.transcriptPage(id),
}

const options: Readonly<Record<string, Call>> = {
  'input of createSession': (manager, _, wrong) => manager.createSession(wrong),
  'query of listSessions': (manager, _, wrong) => manager.listSessions(wrong),
  'query of listBranches': (manager, id, wrong) => manager.listBranches(id, wrong),
  'query of searchSessions': (manager, _, wrong) => manager.searchSessions(wrong),
  'update of updateSession': (manager, id, wrong) => manager.updateSession(id, wrong),
  'query of listSessionRevisions': (manager, id, wrong) => manager.listSessionRevisions(id, wrong),
  'point of branchSession': (manager, id, wrong) => manager.branchSession(id, wrong),
  'overrides of branchSession': (manager, id, wrong) => manager.branchSession(id, { after: 't' }, wrong),
  'options of removeSession': (manager, id, wrong) => manager.removeSession(id, wrong),
  'message of sendMessage': messages((manager, id, wrong) => manager.sendMessage(id, wrong)),
  'onLeave of sendMessage': messages((manager, id, onLeave) => manager.sendMessage(id, { text: 'a', onLeave })),
  'message of startTurn': (manager, id, wrong) => manager.startTurn(id, wrong),
  'text of startTurn': (manager, id, text) => manager.startTurn(id, { text }),
  'input of retryTurn': (manager, id, wrong) => manager.retryTurn(id, wrong),
  'input of continueTurn': (manager, id, wrong) => manager.continueTurn(id, wrong),
  'input of answerRequests': (manager, id, wrong) => manager.answerRequests(id, wrong),
  'answers of answerRequests': (manager, id, wrong) => manager.answerRequests(id, { answers: wrong }),
  'query of listOpenRequests': (manager, _, wrong) => manager.listOpenRequests(wrong),
  'options of recover': (manager, _, wrong) => manager.recover(wrong),
  'signal of recover': (manager, _, signal) => manager.recover({ signal }),
  'query of transcriptPage': (manager, id, wrong) => manager.transcriptPage(id, wrong),
  'before of transcriptPage': (manager, id, before) => manager.transcriptPage(id, { before }),
  'scope of transcriptPage': (manager, id, scope) => manager.transcriptPage(id, {}, scope),
}

for (const { name, open } of storageKinds) {
  describe(`the session manager on ${name}`, () => {
    test('names the argument that is none, whatever stands in its place, and does nothing', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, () => {
        throw new Error('nothing is asked')
      })
      for (const [call, make] of Object.entries(ids))
        for (const wrong of wrongs)
          await assert.rejects(make(manager, session.id, wrong as never), { code: 'INVALID_ID', field: /Id$/ }, call)
      for (const [call, make] of Object.entries(options)) {
        const field = new RegExp(`^(${call.split(' ')[0]}|text)`)
        for (const wrong of wrongs)
          await assert.rejects(make(manager, session.id, wrong as never), { code: 'INVALID_INPUT', field }, call)
      }
      assert.deepEqual(backend.calls, [])
      assert.deepEqual((await manager.listSessions()).items, [session])
      await manager.close()
      await dispose()
    })

    test('names what is wrong with following a run', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, async function* () {})
      const { runId, finished } = await manager.startTurn(session.id, { text: 'a' })
      await finished
      const follow = (given: unknown) => manager.follow(runId, given as never)
      for (const wrong of wrongs) {
        await assert.rejects(follow(wrong), { code: 'INVALID_INPUT', field: 'options' })
        await assert.rejects(follow({ signal: wrong }), { code: 'INVALID_INPUT', field: 'signal' })
        if (wrong !== 5) await assert.rejects(follow({ after: wrong }), { code: 'INVALID_INPUT', field: 'after' })
      }
      await manager.close()
      await dispose()
    })
  })
}

test('a session manager is not made of what are no options', () => {
  for (const wrong of wrongs)
    assert.throws(() => new SessionManager(wrong as never), { code: 'INVALID_INPUT', field: 'options' })
  for (const field of ['agentEventLog', 'recovery'])
    assert.throws(() => new SessionManager({ [field]: null } as never), { code: 'INVALID_INPUT', field })
})

test('a log is not made, and not swept, with what are no options', async () => {
  const log = createMemoryAgentEventLog()
  for (const wrong of wrongs as never[]) {
    assert.throws(() => createMemoryAgentEventLog(undefined, wrong), { code: 'INVALID_INPUT', field: 'options' })
    assert.throws(() => log.scheduleSweeps(wrong), { code: 'INVALID_INPUT', field: 'schedule' })
    await assert.rejects(log.sweepRuns(wrong), { code: 'INVALID_INPUT', field: 'options' })
  }
  await log.close()
})
