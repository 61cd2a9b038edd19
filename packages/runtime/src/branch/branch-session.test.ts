import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TranscriptTurn } from '@daybook/core'
import type { SessionManager, TranscriptCursor } from '@daybook/runtime/session-manager'
import { asksFor } from '../../test/asking-backend.ts'
import { assertWhole } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'

const echo: Script = async function* ({ turnId, text, continuation }) {
  const say = eventsOf(turnId)
  yield say.text(`re: ${text}`)
  yield say.complete(text === 'wait' && continuation === undefined ? 'waiting' : 'end_turn')
}

/** Sends each text as a turn with the text as its id. */
async function send(manager: SessionManager, sessionId: string, ...texts: string[]): Promise<void> {
  for (const text of texts) await takeAll(manager.sendMessage(sessionId, { turnId: text, text }))
}

function textsOf(turns: readonly TranscriptTurn[]): string[] {
  return turns.map(({ userText }) => userText)
}

async function shown(manager: SessionManager, sessionId: string): Promise<string[]> {
  return textsOf(await manager.transcript(sessionId))
}

/** The transcript as its pages tell it, oldest first. */
async function paged(manager: SessionManager, sessionId: string, limit: number): Promise<TranscriptTurn[]> {
  const newestFirst: TranscriptTurn[] = []
  for (let before: TranscriptCursor | null | undefined; before !== null;) {
    const page = await manager.transcriptPage(sessionId, { limit, ...(before && { before }) })
    assert.ok(page.items.length <= limit)
    newestFirst.push(...page.items)
    before = page.next
  }
  return newestFirst.reverse()
}

for (const { name, open } of storageKinds) {
  describe(`branchSession on ${name}`, () => {
    test('shows its session up to a turn or before it, and goes on by itself', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, echo)
      await send(manager, session.id, 'a', 'b', 'c')
      const after = await manager.branchSession(session.id, { after: 'b' }, { title: 'other' })
      const before = await manager.branchSession(session.id, { before: 'b' })
      await send(manager, after.id, 'd')
      await send(manager, before.id, 'edited b')
      await send(manager, session.id, 'e')
      assert.deepEqual(await shown(manager, session.id), ['a', 'b', 'c', 'e'])
      assert.deepEqual(await shown(manager, after.id), ['a', 'b', 'd'])
      assert.deepEqual(await shown(manager, before.id), ['a', 'edited b'])
      const said = backend.inputs
        .at(-3)!
        .history.flatMap(({ parts }) => parts.map((part) => part.type === 'text' && part.text))
      assert.deepEqual(said, ['a', 're: a', 'b', 're: b'])
      assert.deepEqual(
        [after.title, after.cwd, after.permissionMode, after.parentSessionId],
        ['other', '/somewhere', 'bypass', session.id],
      )
      assert.equal((await storage.events.readSessionRuntimeEvents(after.id)).length, 4)
      await assertWhole(storage)
      await dispose()
    })

    test('of a branch refers to the session that has the turn, as deep as it goes', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, echo)
      await send(manager, session.id, 'a', 'b')
      const first = await manager.branchSession(session.id, { after: 'a' })
      await send(manager, first.id, 'c', 'd')
      const second = await manager.branchSession(first.id, { after: 'c' })
      const third = await manager.branchSession(second.id, { before: 'a' })
      const fourth = await manager.branchSession(second.id, { after: 'a' })
      const fifth = await manager.branchSession(second.id, { after: 'c' })
      assert.deepEqual(
        [second, third, fourth, fifth].map(({ parentSessionId }) => parentSessionId),
        [first.id, session.id, session.id, first.id],
      )
      await send(manager, third.id, 'e')
      assert.deepEqual(await shown(manager, second.id), ['a', 'c'])
      assert.deepEqual(await shown(manager, third.id), ['e'])
      assert.deepEqual(await shown(manager, fourth.id), ['a'])
      assert.deepEqual(await shown(manager, fifth.id), ['a', 'c'])
      const own = await manager.listBranches(first.id)
      assert.deepEqual(own.items.map(({ id }) => id).sort(), [second.id, fifth.id].sort())
      for (const hidden of ['b', 'd']) {
        await assert.rejects(manager.branchSession(second.id, { after: hidden }), { code: 'TURN_NOT_FOUND' })
      }
      await assertWhole(storage)
      await dispose()
    })

    test('before the first turn of a branch stands beside it: no chain comes of editing a message over and over', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, echo)
      await send(manager, session.id, 'a', 'b')
      for (const [before, shows] of [
        ['b', ['a']],
        ['a', []],
      ] as const) {
        let edited = await manager.branchSession(session.id, { before })
        const { parentSessionSeq } = edited
        for (const text of ['edit 1', 'edit 2']) {
          await send(manager, edited.id, text)
          edited = await manager.branchSession(edited.id, { before: text })
          assert.deepEqual([edited.parentSessionId, edited.parentSessionSeq], [session.id, parentSessionSeq])
        }
        assert.deepEqual(await shown(manager, edited.id), shows)
      }
      await assertWhole(storage)
      await dispose()
    })

    test('has what its session has where an override is undefined', async () => {
      const { storage, dispose } = open()
      const { manager } = await openManager(storage, echo)
      const given = { permissionMode: 'deny', permissionRules: [{ tool: 'x', mode: 'deny' }], title: 't' } as const
      const parent = await manager.createSession(given)
      await send(manager, parent.id, 'a')
      const nothing = { permissionMode: undefined, permissionRules: undefined, title: undefined, backend: undefined }
      const branch = await manager.branchSession(parent.id, { after: 'a' }, nothing as object)
      const { permissionMode, permissionRules, title, backendKind } = branch
      assert.deepEqual({ permissionMode, permissionRules, title, backendKind }, { ...given, backendKind: 'ai-sdk' })
      await dispose()
    })

    test('shows what stood there when it was made, whatever is tried again later', async () => {
      const { storage, dispose } = open()
      let attempt = 0
      const { manager, session } = await openManager(storage, async function* ({ turnId, text }) {
        const say = eventsOf(turnId)
        yield say.text(`${text} ${++attempt}`)
        yield say.complete(text === 'w' ? 'waiting' : 'end_turn')
      })
      await send(manager, session.id, 'a')
      const early = await manager.branchSession(session.id, { after: 'a' })
      await (
        await manager.retryTurn(session.id)
      ).finished
      const late = await manager.branchSession(session.id, { after: 'a' })
      const answers = async (id: string) => (await manager.transcript(id)).map(({ items }) => items)
      assert.deepEqual(await answers(early.id), [[{ type: 'text', text: 'a 1' }]])
      assert.deepEqual(await answers(late.id), [[{ type: 'text', text: 'a 2' }]])
      await assert.rejects(manager.retryTurn(early.id, { turnId: 'a' }), { code: 'TURN_NOT_FOUND' })
      await assert.rejects(manager.retryTurn(early.id), { code: 'NOTHING_TO_CONTINUE' })
      await dispose()
    })

    test('takes no second turn of an id that it shows, and one that it does not show', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, echo)
      await send(manager, session.id, 'a', 'b')
      const first = await manager.branchSession(session.id, { after: 'a' })
      const second = await manager.branchSession(first.id, { after: 'a' })
      const exists = { code: 'TURN_EXISTS', turnId: 'a', sessionId: session.id, sameInput: false }
      await assert.rejects(manager.startTurn(second.id, { turnId: 'a', text: 'again' }), exists)
      const same = { ...exists, sameInput: true }
      await assert.rejects(manager.startTurn(second.id, { turnId: 'a', text: 'a' }), same)
      await send(manager, second.id, 'b')
      assert.deepEqual(await shown(manager, second.id), ['a', 'b'])
      await dispose()
    })

    test('does not wait for what a turn of its parent waits for', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, asksFor(['a']))
      await send(manager, session.id, 't')
      const branch = await manager.branchSession(session.id, { after: 't' })
      assert.deepEqual((await manager.listOpenRequests({ sessionId: branch.id })).items, [])
      const [item] = (await manager.transcript(branch.id))[0]!.items
      assert.ok(item && 'outcome' in item && item.outcome === 'not_answered')
      assert.equal(await manager.stopSession(branch.id), undefined)
      await dispose()
    })

    test('is refused at what is no turn, after one that runs, with wrong settings, and in another scope', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, async function* ({ turnId, abortSignal }) {
        await aborted(abortSignal)
        yield eventsOf(turnId).complete()
      })
      const { runId } = await manager.startTurn(session.id, { turnId: 'a', text: 'a' })
      await assert.rejects(manager.branchSession(session.id, { after: 'a' }), { code: 'SESSION_BUSY', runId })
      assert.equal((await manager.branchSession(session.id, { before: 'a' })).parentSessionSeq, 0)
      const refused: [point: unknown, overrides: object, error: object][] = [
        [{ after: 'b' }, {}, { code: 'TURN_NOT_FOUND', turnId: 'b' }],
        [{}, {}, { code: 'INVALID_INPUT', field: 'point' }],
        [{ after: 'a', before: 'a' }, {}, { code: 'INVALID_INPUT', field: 'point' }],
        [undefined, {}, { code: 'INVALID_INPUT', field: 'point' }],
        [{ before: 'a' }, { backend: 'none' }, { code: 'UNKNOWN_BACKEND' }],
        [{ before: 'a' }, { permissionMode: 'maybe' }, { code: 'INVALID_INPUT', field: 'permissionMode' }],
      ]
      for (const [point, overrides, error] of refused) {
        await assert.rejects(manager.branchSession(session.id, point as { after: string }, overrides), error)
      }
      await assert.rejects(manager.branchSession(session.id, { before: 'a' }, {}, { tenant: 'x' }), {
        code: 'SESSION_NOT_FOUND',
      })
      await manager.close()
      await assert.rejects(manager.branchSession(session.id, { before: 'a' }), { code: 'MANAGER_CLOSED' })
      await dispose()
    })

    test('keeps its parent from being removed, unless it goes with it', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, echo)
      await send(manager, session.id, 'a')
      const branch = await manager.branchSession(session.id, { after: 'a' })
      const leaf = await manager.branchSession(branch.id, { after: 'a' })
      await assert.rejects(manager.removeSession(session.id), { code: 'SESSION_HAS_BRANCHES', branches: 2 })
      await assert.rejects(manager.removeSession(session.id, { tenant: null } as object), { field: 'options.tenant' })
      await assert.rejects(manager.removeSession(session.id, { branches: 'keep' as 'remove' }), {
        field: 'options.branches',
      })
      assert.equal(await manager.removeSession(leaf.id), true)
      assert.equal(await manager.removeSession(session.id, { branches: 'remove' }), true)
      assert.equal(await manager.readSession(branch.id), undefined)
      await assertWhole(storage)
      await dispose()
    })
  })

  describe(`transcriptPage on ${name}`, () => {
    test('tells in pages of any size what the transcript tells, through parents', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, echo)
      assert.deepEqual(await manager.transcriptPage(session.id), { items: [], next: null, floor: 1 })
      await send(manager, session.id, 'a', 'b', 'wait')
      await (
        await manager.continueTurn(session.id)
      ).finished
      const branch = await manager.branchSession(session.id, { after: 'wait' })
      await send(manager, branch.id, 'c', 'd')
      await (
        await manager.retryTurn(branch.id)
      ).finished
      const empty = await manager.branchSession(branch.id, { before: 'c' })
      const leaf = await manager.branchSession(empty.id, { before: 'b' })
      await send(manager, leaf.id, 'wait')
      for (const { id } of [session, branch, empty, leaf]) {
        const whole = await manager.transcript(id)
        for (const limit of [1, 2, 3, 100]) assert.deepEqual(await paged(manager, id, limit), whole)
      }
      assert.deepEqual(await shown(manager, branch.id), ['a', 'b', 'wait', 'c', 'd'])
      const page = await manager.transcriptPage(branch.id, { limit: 2 })
      assert.deepEqual(
        [textsOf(page.items), page.next],
        [['d', 'c'], { sessionId: session.id, sessionSeq: page.next?.sessionSeq }],
      )
      await dispose()
    })

    test('refuses a limit that cannot be, and a cursor to what the session does not show', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, echo)
      const other = await manager.createSession({ tenant: 'acme' })
      for (const limit of [0, 1.5, 1001]) {
        await assert.rejects(manager.transcriptPage(session.id, { limit }), { code: 'INVALID_INPUT', field: 'limit' })
      }
      await assert.rejects(manager.transcriptPage(session.id, { before: null as never }), { field: 'before' })
      const before = { sessionId: session.id, sessionSeq: -1 }
      await assert.rejects(manager.transcriptPage(session.id, { before }), { field: 'before.sessionSeq' })
      await send(manager, session.id, 'a')
      await send(manager, session.id, 'b')
      const branch = await manager.branchSession(session.id, { after: 'a' })
      for (const { id, sessionSeq } of [
        { id: other.id, sessionSeq: 1 },
        { id: branch.id, sessionSeq: 1 },
        { id: session.id, sessionSeq: branch.parentSessionSeq! + 2 },
      ]) {
        const shown = id === branch.id ? session.id : branch.id
        const before = { sessionId: id, sessionSeq }
        await assert.rejects(manager.transcriptPage(shown, { before }), { code: 'INVALID_INPUT', field: 'before' })
      }
      await dispose()
    })

    test('reads the newest turns of a deep chain of branches without its depth', async () => {
      const { storage, dispose } = open()
      let reads = 0
      const counting = Object.assign(Object.create(storage.sessions) as typeof storage.sessions, {
        read: (...args: Parameters<typeof storage.sessions.read>) => (reads++, storage.sessions.read(...args)),
      })
      const { manager, session } = await openManager({ ...storage, sessions: counting }, echo)
      let id = session.id
      for (let depth = 0; depth < 20; depth++) {
        await send(manager, id, `${depth}`)
        id = (await manager.branchSession(id, { after: `${depth}` })).id
      }
      reads = 0
      assert.deepEqual(textsOf((await manager.transcriptPage(id, { limit: 3 })).items), ['19', '18', '17'])
      assert.ok(reads <= 5, `${reads} sessions were read`)
      assert.equal((await manager.transcript(id)).length, 20)
      await dispose()
    })
  })
}
