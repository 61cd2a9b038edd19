import assert from 'node:assert/strict'
import type { AgentEventStore } from '@daybook/core'
import { headerOf, openLog, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

/** Does the work and waits until who watches the run is told; nothing but the runner's own limit ends it otherwise. */
async function isTold(watcher: AgentEventStore, runId: string, work: () => Promise<unknown>): Promise<void> {
  let stop = () => {}
  const told = new Promise<void>((resolve) => (stop = watcher.watch!(runId, resolve)))
  // What a store watches with does not keep a process alive.
  const alive = setInterval(() => {}, 1_000)
  try {
    await work()
    await told
  } finally {
    clearInterval(alive)
    stop()
  }
}

const changes: Readonly<Record<string, (store: AgentEventStore) => Promise<unknown>>> = {
  open: (store) => store.createHeader(headerOf('r')),
  append: (store) => store.append('r', stepRow(1)),
  finish: (store) => store.append('r', stepRow(2, { finishedAt: 1 })),
  trim: (store) => store.trim('r', 2),
  remove: (store) => store.remove('r'),
}

export function watchBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour(
    'tells who watches a run of each change',
    async ({ store }) => {
      for (const change of Object.values(changes)) await isTold(store, 'r', () => change(store))
    },
    'watch',
  )

  behaviour(
    'tells nobody any more who stopped, and goes on when a listener throws',
    async ({ store }) => {
      await openLog(store, 'r')
      let calls = 0
      const stop = store.watch!('r', () => (calls += 1))
      store.watch!('r', () => {
        throw new Error('from a listener')
      })
      stop()
      stop()
      await isTold(store, 'r', () => store.append('r', stepRow(1)))
      assert.equal(calls, 0)
    },
    'watch',
  )

  behaviour(
    'tells who watches that it is closed, whatever another listener throws',
    async ({ store }) => {
      await openLog(store, 'r')
      store.watch!('r', () => {
        throw new Error('from a listener')
      })
      await isTold(store, 'r', async () => store.close!())
    },
    'watch',
    'close',
  )

  behaviour(
    'tells of what another writer changes',
    async ({ store, another }) => {
      const other = await another()
      for (const change of Object.values(changes)) await isTold(store, 'r', () => change(other))
    },
    'another',
    'watch',
  )
}
