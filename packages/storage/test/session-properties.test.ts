import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DaybookError, type OpenedStorage } from '@daybook/core'
import fc from 'fast-check'
import { idsOf, openedEvent, openRequest, sessionRecord, terminalEvent, textEvent } from '../src/conformance/samples.ts'
import { sessionHistory, type SessionStep } from './session-history.ts'
import { modelWords, SessionModel } from './session-model.ts'
import { memoryWorld, sqliteWorld } from './worlds.ts'

for (const [name, openWorld, histories] of [
  ['memory', memoryWorld, 150],
  ['sqlite', sqliteWorld, 100],
] as const) {
  test(`in every history on ${name}, sessions, listings and search are what a simple model says`, async (t) => {
    // All histories happen in one storage, each with tenants of its own.
    const world = openWorld()
    t.after(() => world.dispose())
    let count = 0
    await fc.assert(
      fc.asyncProperty(sessionHistory, async (steps) => {
        const subject = new Subject(world.storage, `${(count += 1)} `)
        for (const step of steps) await subject.take(step)
        await subject.check()
      }),
      { numRuns: histories },
    )
    assert.deepEqual((await world.storage.events.verifyStore()).problems, [])
  })
}

/** Does each step to the storage and to the model. */
class Subject {
  readonly #storage: OpenedStorage
  readonly #history: string
  readonly #model = new SessionModel()
  #count = 0

  constructor(storage: OpenedStorage, history: string) {
    this.#storage = storage
    this.#history = history
  }

  async take(step: SessionStep): Promise<void> {
    switch (step.does) {
      case 'create':
        return this.#create(step)
      case 'update':
        return this.#update(step)
      case 'say':
        return this.#say(step)
      case 'remove':
        return this.#remove(step)
      case 'search':
        return this.#search(step)
      case 'list':
        return this.#list(step)
    }
  }

  async check(): Promise<void> {
    for (const tenant of [0, 1]) {
      await this.#list({ tenant, archived: 'any', label: null, parent: null })
      for (const text of ['r', 'grunt', '赤']) await this.#search({ tenant, text, limit: 3 })
    }
    for (const { id, tenant, revision, title } of this.#model.sessions.values()) {
      assert.equal((await this.#storage.sessions.read(id, { tenant }))?.title, title)
      const { items } = await this.#storage.sessions.listRevisions(id, { tenant })
      assert.deepEqual([items.length, items.at(-1)?.session.title], [revision, title])
    }
  }

  #id(session: number): string {
    return `${this.#history}${session}`
  }

  async #create({ session, tenant: number, parent: parentNumber, title, labels }: SessionStep & { does: 'create' }) {
    const [id, tenant] = [this.#id(session), this.#id(number)]
    const parent = parentNumber === null ? null : this.#id(parentNumber)
    const branch = parent === null ? {} : { parentSessionId: parent, parentSessionSeq: 0 }
    const created = await outcome(
      this.#storage.sessions.create(sessionRecord(id, { tenant, title, labels, createdAt: session >> 1, ...branch })),
    )
    const isParentThere = parent === null || this.#model.sessions.get(parent)?.tenant === tenant
    const taken = this.#model.sessions.has(id)
    assert.equal(created, taken ? 'SESSION_EXISTS' : isParentThere ? 'ok' : 'SESSION_NOT_FOUND')
    if (created === 'ok') this.#model.create({ id, tenant, parent, title, labels })
  }

  async #update({ session, archived, behind, title, labels }: SessionStep & { does: 'update' }) {
    const known = this.#model.sessions.get(this.#id(session))
    const expectedRevision = Math.max((known?.revision ?? 1) - behind, 1)
    const updated = await outcome(
      this.#storage.sessions.update({
        sessionId: this.#id(session),
        scope: { tenant: known?.tenant ?? this.#id(0) },
        changes: { title, labels, archived },
        expectedRevision,
      }),
    )
    const isCurrent = known?.revision === expectedRevision
    assert.equal(updated, known === undefined ? 'SESSION_NOT_FOUND' : isCurrent ? 'ok' : 'REVISION_CONFLICT')
    if (updated === 'ok') Object.assign(known!, { title, labels, archived, revision: known!.revision + 1 })
  }

  async #say({ session, text }: SessionStep & { does: 'say' }) {
    const ids = idsOf(this.#id(session), `${this.#history}said ${(this.#count += 1)}`)
    const events = [openedEvent(ids), textEvent(ids, 'a', text), terminalEvent(ids)] as const
    const said = await outcome(this.#storage.runs.openRun(openRequest(ids, { events })))
    assert.equal(said, this.#model.sessions.has(ids.sessionId) ? 'ok' : 'SESSION_NOT_FOUND')
    if (said === 'ok') this.#model.say(ids.sessionId, text)
  }

  async #remove({ session, branches }: SessionStep & { does: 'remove' }) {
    const id = this.#id(session)
    const known = this.#model.sessions.get(id)
    const scope = { tenant: known?.tenant ?? this.#id(0) }
    assert.equal(await this.#storage.sessions.remove(id, { tenant: 'nobody' }), false)
    const removed = await outcome(this.#storage.sessions.remove(id, scope, branches ? { branches: 'remove' } : {}))
    const isKept = !branches && this.#model.branchesOf(id).length > 0
    assert.equal(removed, isKept ? 'SESSION_HAS_BRANCHES' : 'ok')
    if (removed === 'ok') this.#model.remove(id)
  }

  async #list({ tenant: number, archived, label, parent }: Omit<SessionStep & { does: 'list' }, 'does'>) {
    const tenant = this.#id(number)
    const parentSessionId = parent === null ? null : this.#id(parent)
    const filter = { archived, ...(label !== null && { label }), ...(parentSessionId !== null && { parentSessionId }) }
    const { items } = await this.#storage.sessions.list({ scope: { tenant }, filter })
    const ids = items.map(({ id }) => id)
    assert.deepEqual(ids.toSorted(), this.#model.list(tenant, archived, label, parentSessionId))
    assert.deepEqual(
      ids,
      items.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id),
    )
  }

  async #search({ tenant: number, text, limit }: Omit<SessionStep & { does: 'search' }, 'does'>) {
    const scope = { tenant: this.#id(number) }
    const { sessions } = this.#storage
    if (modelWords(text).length === 0) {
      assert.equal(await outcome(sessions.search({ scope, text })), 'INVALID_INPUT')
      return
    }
    const seen: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const page = await sessions.search({ scope, text, limit, ...(after !== undefined && { after }) })
      seen.push(...page.items.map(({ session, excerpt }) => `${session.id}: ${excerpt}`))
      after = page.next
    }
    assert.deepEqual(seen, this.#model.search(scope.tenant, text))
  }
}

async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'ok'
  } catch (error) {
    if (!DaybookError.is(error)) throw error
    return error.code
  }
}
