import assert from 'node:assert/strict'
import { AGENT_EVENT_SWEEP_CLAIM_MS } from '@daybook/core'
import { openLog, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

export function claimBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour('claims a run until the claim expires by the clock of who asks', async ({ store }) => {
    await openLog(store, 'r', 0, { openedAt: 1 })
    assert.equal(await store.claim('r', 1_000), true)
    assert.equal(await store.claim('r', 1_000), false)
    assert.equal(await store.claim('r', 1), false)
    assert.equal(await store.claim('r', 1_000 + AGENT_EVENT_SWEEP_CLAIM_MS - 1), false)
    assert.equal(await store.claim('r', 1_000 + AGENT_EVENT_SWEEP_CLAIM_MS), true)
    assert.equal(await store.claim('r', 1_000 + AGENT_EVENT_SWEEP_CLAIM_MS), false)
  })

  behaviour('claims no run that is not there, and forgets a claim with its run', async ({ store }) => {
    assert.equal(await store.claim('r', 1_000), false)
    await openLog(store, 'r')
    assert.equal(await store.claim('r', 1_000), true)
    await store.remove('r')
    assert.equal(await store.claim('r', 1_000), false)
    await openLog(store, 'r')
    assert.equal(await store.claim('r', 1_000), true)
  })

  behaviour('claims each run by itself, and leaves its log as it is', async ({ store }) => {
    for (const runId of ['r', 'q']) await openLog(store, runId, 2)
    const before = await store.readState('r')
    assert.deepEqual([await store.claim('r', 1), await store.claim('q', 1)], [true, true])
    await store.append('r', stepRow(3))
    assert.deepEqual({ ...(await store.readState('r')), lastSeq: 2, bytes: before!.bytes }, before)
  })

  behaviour('lets one of many claims win', async ({ store }) => {
    await openLog(store, 'r')
    const claims = await Promise.all(Array.from({ length: 10 }, () => store.claim('r', 1_000)))
    assert.equal(claims.filter(Boolean).length, 1)
  })

  behaviour('refuses a time that is none', async ({ store }) => {
    await openLog(store, 'r')
    for (const now of [NaN, Infinity, 1.5]) {
      await assert.rejects(store.claim('r', now), { code: 'INVALID_INPUT', field: 'now' })
    }
    assert.equal(await store.claim('r', -1), true)
  })

  behaviour(
    'holds a claim against every other writer, and for who opens the logs later',
    async ({ store, another }) => {
      await openLog(store, 'r')
      const other = await another()
      const claims = await Promise.all([store, other].map((claimer) => claimer.claim('r', 1_000)))
      assert.equal(claims.filter(Boolean).length, 1)
      const later = await another()
      assert.equal(await later.claim('r', 1_000 + AGENT_EVENT_SWEEP_CLAIM_MS - 1), false)
      assert.equal(await later.claim('r', 1_000 + AGENT_EVENT_SWEEP_CLAIM_MS), true)
    },
    'another',
  )
}
