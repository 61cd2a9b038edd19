import assert from 'node:assert/strict'
import type { OpenedStorage, RunOwner, UnfinishedRunCursor } from '@daybook/core'
import {
  anOwner,
  append,
  idsOf,
  lookalikeIds,
  openRequest,
  openRun,
  type RunIds,
  sessionRecord,
  terminalEvent,
  textEvent,
  wholeRun,
} from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

const otherOwner: RunOwner = { bootId: null, pidNamespace: null, pid: 1, processStartedAt: null }
const now = 5_000

export function ownerBehaviour(behaviour: Behaviour): void {
  behaviour('begins a lease when the run is written, and renews it from the time of renewing', async (subject) => {
    const { storage, clock } = subject
    const [first, second] = [idsOf('s', 'i'), idsOf('t', 'j')]
    clock.holdAt(now)
    assert.equal((await openRun(storage, first, { leaseMs: 100 })).leaseExpiresAt, now + 100)
    await openRun(storage, second, { leaseMs: 100 })
    clock.holdAt(now + 40)
    const runs = [first, second].map(({ runId }) => ({ runId, epoch: 1 }))
    assert.deepEqual(new Set(await storage.runs.renewLeases({ runs, leaseMs: 100 })), new Set(runs.map(runIdOf)))
    for (const { runId } of runs) assert.equal((await storage.runs.readRun(runId))?.leaseExpiresAt, now + 140)
  })

  behaviour('renews a lease that has expired, and none of a run that ended or has another owner', async (subject) => {
    const { storage, clock } = subject
    const [late, ended, taken, without] = ['late', 'ended', 'taken', 'without'].map((id) => idsOf(id, id)) as RunIds[]
    clock.holdAt(now)
    for (const ids of [late!, ended!, taken!]) await openRun(storage, ids, { leaseMs: 100 })
    await openRun(storage, without!)
    await append(storage, ended!, [terminalEvent(ended!)])
    clock.holdAt(now + 500)
    await storage.runs.claimRun({ runId: taken!.runId, expectedEpoch: 1, owner: otherOwner })
    const asked = [late!, ended!, taken!, without!, idsOf('none', 'none')]
    const renewed = await storage.runs.renewLeases({
      runs: asked.map(({ runId }) => ({ runId, epoch: 1 })),
      leaseMs: 100,
    })
    assert.deepEqual(new Set(renewed), new Set([late!.runId, without!.runId]))
    const leases = await Promise.all(
      asked.map(async ({ runId }) => (await storage.runs.readRun(runId))?.leaseExpiresAt),
    )
    assert.deepEqual(leases, [now + 600, now + 100, null, now + 600, undefined])
    assert.deepEqual(await storage.runs.renewLeases({ runs: [], leaseMs: 100 }), [])
  })

  behaviour('lets nobody claim before the lease has expired, by its own clock', async ({ storage, clock }) => {
    const ids = idsOf('s', 'i')
    clock.holdAt(now)
    const run = await openRun(storage, ids, { leaseMs: 100 })
    const claim = { runId: ids.runId, expectedEpoch: 1, owner: otherOwner, leaseMs: 50 }
    const refused = { code: 'RUN_OWNED', runId: ids.runId, owner: anOwner, leaseExpiresAt: now + 100 }
    clock.holdAt(now + 99)
    await assert.rejects(storage.runs.claimRun(claim), refused)
    assert.deepEqual(await storage.runs.readRun(ids.runId), run)
    clock.holdAt(now + 100)
    const claimed = await storage.runs.claimRun(claim)
    assert.deepEqual(claimed, { ...run, owner: otherOwner, epoch: 2, leaseExpiresAt: now + 150 })
    assert.deepEqual(await storage.runs.readRun(ids.runId), claimed)
  })

  behaviour('lets a run without a lease be claimed only from an owner that is gone', async ({ storage, clock }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    clock.holdAt(Number.MAX_SAFE_INTEGER)
    const claim = { runId: ids.runId, expectedEpoch: 1, owner: otherOwner }
    await assert.rejects(storage.runs.claimRun(claim), { code: 'RUN_OWNED', leaseExpiresAt: null })
    await append(storage, ids, [textEvent(ids, 'still mine')])
    assert.equal((await storage.runs.claimRun({ ...claim, ownerIsGone: true })).leaseExpiresAt, null)
  })

  behaviour('names the newer owner before the living one', async ({ storage, clock }) => {
    const ids = idsOf('s', 'i')
    clock.holdAt(now)
    await openRun(storage, ids, { leaseMs: 100 })
    const claim = { runId: ids.runId, expectedEpoch: 1, owner: otherOwner, leaseMs: 100 }
    await storage.runs.claimRun({ ...claim, ownerIsGone: true })
    await assert.rejects(storage.runs.claimRun(claim), { code: 'STALE_OWNER', currentEpoch: 2 })
    await append(storage, ids, [terminalEvent(ids)], 2)
    await assert.rejects(storage.runs.claimRun(claim), { code: 'RUN_SEALED' })
  })

  behaviour(
    'lets one of many claims of an expired lease succeed, and the late owner write nothing',
    async (subject) => {
      const { storage, clock } = subject
      const ids = idsOf('s', 'i')
      clock.holdAt(now)
      await openRun(storage, ids, { leaseMs: 100 })
      clock.holdAt(now + 100)
      const claims = Array.from({ length: 8 }, (_, pid) =>
        storage.runs.claimRun({
          runId: ids.runId,
          expectedEpoch: 1,
          owner: { ...otherOwner, pid: pid + 1 },
          leaseMs: 100,
        }),
      )
      const settled = await Promise.allSettled(claims)
      assert.equal(settled.filter((one) => one.status === 'fulfilled').length, 1)
      for (const one of settled) if (one.status === 'rejected') assert.equal(one.reason.code, 'STALE_OWNER')
      assert.deepEqual(await storage.runs.renewLeases({ runs: [{ runId: ids.runId, epoch: 1 }], leaseMs: 100 }), [])
      await assert.rejects(append(storage, ids, [textEvent(ids, 'late')]), { code: 'STALE_OWNER' })
    },
  )

  behaviour('refuses a lease that is no time, and an owner that is none', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await storage.sessions.create(sessionRecord('s'))
    for (const leaseMs of [0, -1, 0.5, Number.NaN, Infinity, 1e15, '100' as unknown as number]) {
      const refused = { code: 'INVALID_INPUT', field: 'leaseMs' }
      await assert.rejects(storage.runs.openRun(openRequest(ids, { leaseMs })), refused)
      await assert.rejects(storage.runs.renewLeases({ runs: [], leaseMs }), refused)
      const claim = { runId: ids.runId, expectedEpoch: 1, owner: anOwner, leaseMs }
      await assert.rejects(storage.runs.claimRun(claim), refused)
    }
    assert.equal(await storage.runs.readRun(ids.runId), undefined)
  })

  behaviour('keeps the first request to stop a run, and tells its owner', async ({ storage, clock }) => {
    const [ids, other] = [idsOf('s', 'i'), idsOf('t', 'j')]
    const run = await openRun(storage, ids)
    await openRun(storage, other, { owner: { ...anOwner, processStartedAt: '8' } })
    assert.deepEqual(await storage.runs.listStopRequests(anOwner), [])
    clock.holdAt(now)
    const asked = await storage.runs.requestStop({ runId: ids.runId, by: 'user' })
    assert.deepEqual(asked, { ...run, stopRequest: { requestedAt: now, by: 'user' } })
    clock.holdAt(now + 1)
    assert.deepEqual(await storage.runs.requestStop({ runId: ids.runId, by: 'supervisor' }), asked)
    await storage.runs.requestStop({ runId: other.runId, by: 'user' })
    assert.deepEqual(await storage.runs.readRun(ids.runId), asked)
    assert.deepEqual(await storage.runs.listStopRequests(anOwner), [{ runId: ids.runId, requestedAt: now, by: 'user' }])
    assert.deepEqual(await storage.runs.listStopRequests(otherOwner), [])
    await append(storage, ids, [textEvent(ids, 'not yet'), terminalEvent(ids, 'aborted')])
    assert.deepEqual(await storage.runs.listStopRequests(anOwner), [])
    assert.deepEqual((await storage.runs.readRun(ids.runId))?.stopRequest, asked.stopRequest)
  })

  behaviour('asks nothing of a run that has ended, and names one that is not there', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await wholeRun(storage, ids)
    const ended = await storage.runs.readRun(ids.runId)
    assert.deepEqual(await storage.runs.requestStop({ runId: ids.runId, by: 'user' }), ended)
    await assert.rejects(storage.runs.requestStop({ runId: 'none', by: 'user' }), {
      code: 'RUN_NOT_FOUND',
      runId: 'none',
    })
    await assert.rejects(storage.runs.requestStop({ runId: ids.runId, by: '' }), { code: 'INVALID_ID', field: 'by' })
  })

  behaviour('keeps a request to stop through a claim, and tells the new owner', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const { stopRequest } = await storage.runs.requestStop({ runId: ids.runId, by: 'user' })
    const claim = { runId: ids.runId, expectedEpoch: 1, owner: otherOwner, ownerIsGone: true }
    assert.deepEqual((await storage.runs.claimRun(claim)).stopRequest, stopRequest)
    assert.deepEqual(await storage.runs.listStopRequests(anOwner), [])
    assert.deepEqual(await storage.runs.listStopRequests(otherOwner), [{ runId: ids.runId, ...stopRequest }])
  })

  behaviour('lists the unfinished runs of all sessions, and which leases have expired', async ({ storage, clock }) => {
    clock.holdAt(now)
    for (const [index, id] of ['b', 'a', 'c'].entries()) {
      await wholeRun(storage, idsOf(id, `ended ${id}`))
      await openRun(storage, idsOf(id, `open ${id}`), index === 0 ? {} : { leaseMs: index * 100 })
    }
    await openRun(storage, idsOf('a', 'beside'), { exclusive: false })
    clock.holdAt(now + 100)
    const { items, next } = await storage.runs.listUnfinishedRuns()
    assert.deepEqual(
      items.map(({ run, leaseExpired }) => [run.sessionId, run.invocationId, leaseExpired]),
      [
        ['a', 'beside', false],
        ['a', 'open a', true],
        ['b', 'open b', false],
        ['c', 'open c', false],
      ],
    )
    assert.equal(next, null)
    for (const { run } of items) assert.deepEqual(run, await storage.runs.readRun(run.runId))
  })

  behaviour('pages unfinished runs in code point order, none twice or missed while others end', async ({ storage }) => {
    const ids = lookalikeIds.flat()
    for (const id of ids) await openRun(storage, idsOf(id, id))
    assert.equal((await unfinished(storage, ids.length)).length, ids.length)
    const seen = await unfinished(storage, 1, async (runId) => {
      const { sessionId, invocationId } = (await storage.runs.readRun(runId))!
      await append(storage, idsOf(sessionId, invocationId), [terminalEvent(idsOf(sessionId, invocationId))])
    })
    assert.equal(seen.length, ids.length)
    for (const [lower, higher] of lookalikeIds) {
      assert.ok(seen.indexOf(idsOf(lower, lower).runId) < seen.indexOf(idsOf(higher, higher).runId))
    }
    assert.deepEqual(await storage.runs.listUnfinishedRuns(), { items: [], next: null, floor: 1 })
  })

  behaviour('refuses a page of unfinished runs that cannot be', async ({ storage }) => {
    for (const limit of [0, 1.5, 1001]) {
      await assert.rejects(storage.runs.listUnfinishedRuns({ limit }), { code: 'INVALID_INPUT', field: 'limit' })
    }
    const after = { sessionId: 's' } as UnfinishedRunCursor
    await assert.rejects(storage.runs.listUnfinishedRuns({ after }), { code: 'INVALID_INPUT' })
  })
}

function runIdOf({ runId }: { readonly runId: string }): string {
  return runId
}

async function unfinished(
  storage: OpenedStorage,
  limit: number,
  between: (runId: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = []
  for (let after: UnfinishedRunCursor | null | undefined; after !== null;) {
    const page = await storage.runs.listUnfinishedRuns({ limit, ...(after && { after }) })
    assert.ok(page.items.length <= limit)
    for (const { run } of page.items) {
      seen.push(run.runId)
      await between(run.runId)
    }
    after = page.next
  }
  return seen
}
