import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { branchChain } from '../branch-chain.ts'
import { countingReads } from '../counting-reads.ts'
import { openManager } from '../open-manager.ts'
import { eventsOf } from '../scripted-backend.ts'
import { type StorageKind, storageKinds } from '../storages.ts'
import { takeAll } from '../take.ts'

/** The benchmark goes to 10,000. */
const depths: Readonly<Record<string, number>> = { memory: 1000, sqlite: 200 }

async function opened({ open }: StorageKind) {
  const { storage, dispose } = open()
  const counted = countingReads(storage)
  const manager = await openManager(counted.storage, async function* ({ turnId }) {
    yield eventsOf(turnId).complete()
  })
  async function readsOf(read: () => Promise<unknown>) {
    Object.assign(counted.reads, { calls: 0, rows: 0 })
    await read()
    return { ...counted.reads }
  }
  return { ...manager, storage, readsOf, dispose }
}

for (const kind of storageKinds) {
  const depth = depths[kind.name]!
  describe(`branches on ${kind.name}`, () => {
    test(`pages of a transcript read the same at depth ${depth} as at depth 50, and the whole has it all`, async () => {
      const { storage, manager, session, backend, readsOf, dispose } = await opened(kind)
      const chain = await branchChain(storage, manager, session, depth)
      const leaf = chain.at(-1)!.id
      const twoPages = (sessionId: string) =>
        readsOf(async () => {
          const { next } = await manager.transcriptPage(sessionId)
          const { items } = await manager.transcriptPage(sessionId, { before: next! })
          assert.equal(items.length, 20)
        })
      const reads = await twoPages(chain[49]!.id)
      assert.ok(reads.rows >= 40 * 3 && reads.rows < 200)
      assert.deepEqual(await twoPages(leaf), reads)

      await takeAll(manager.sendMessage(leaf, { text: 'and now?' }))
      const said = backend.inputs[0]!.history.flatMap(({ parts }) => parts)
      assert.deepEqual([said.length, said[0]], [depth, { type: 'text', text: '1' }])
      assert.equal((await manager.transcript(leaf)).length, depth + 1)
      assert.equal(await manager.removeSession(session.id, { branches: 'remove' }), true)
      assert.equal(await manager.readSession(leaf), undefined)
      await dispose()
    })

    test('a page of the branches of a session reads as many as it shows, whether there are 20 or 1000', async () => {
      const { storage, manager, session, readsOf, dispose } = await opened(kind)
      await branchChain(storage, manager, session, 1)
      const branchTo = async (count: number) => {
        while (made < count) await manager.branchSession(session.id, { after: '1' }, { title: `${++made}` })
      }
      let made = 0
      const page = () => readsOf(() => manager.listBranches(session.id, { limit: 10 }))
      await branchTo(20)
      const reads = await page()
      await branchTo(1000)
      assert.deepEqual([await page(), reads], [reads, { calls: 2, rows: 11 }])
      const titles = new Set<string | null>()
      for (let after, more = true; more; more = after !== null) {
        const { items, next } = await manager.listBranches(session.id, after ? { after } : {})
        for (const { title } of items) titles.add(title)
        after = next
      }
      assert.equal(titles.size, 1000)
      await dispose()
    })
  })
}
