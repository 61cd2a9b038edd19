import assert from 'node:assert/strict'
import { openLog } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

export function truncationBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour('knows a log with the marker, and goes on knowing when that is trimmed', async ({ store }) => {
    await openLog(store, 'r')
    await store.append('r', { seq: 1, event: { type: 'CUSTOM', name: 'oke.events.truncated', value: { cap: 3 } } })
    assert.equal(await store.truncated('r'), true)
    await store.append('r', { seq: 2, event: { type: 'STEP_STARTED' } })
    await store.trim('r', 3)
    assert.equal(await store.truncated('r'), true)
    assert.equal((await store.readState('r'))?.truncated, true)
    await store.remove('r')
    await openLog(store, 'r')
    assert.equal(await store.truncated('r'), false)
  })

  behaviour('takes nothing else for the marker, whatever it contains', async ({ store }) => {
    await openLog(store, 'r')
    const marker = { type: 'CUSTOM', name: 'oke.events.truncated' }
    const events = [
      { type: 'CUSTOM', name: 'note', value: { text: 'oke.events.truncated' } },
      { type: 'CUSTOM', name: 'note', value: marker },
      { type: 'CUSTOM', value: marker, name: 'oke.events.truncated ' },
      { type: 'TEXT_MESSAGE_CONTENT', name: 'oke.events.truncated', delta: JSON.stringify(marker) },
      { type: 'CUSTOM', value: `","event":${JSON.stringify(marker)}` },
    ]
    for (const [index, event] of events.entries()) await store.append('r', { seq: index + 1, event })
    assert.equal(await store.truncated('r'), false)
    assert.deepEqual(
      (await store.read('r'))!.rows.map(({ event }) => event),
      events,
    )
  })
}
