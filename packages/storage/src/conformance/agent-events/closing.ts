import assert from 'node:assert/strict'
import { headerOf, openLog, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

export function closingBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour(
    'refuses what comes after it, and does nothing the second time',
    async ({ store }) => {
      await openLog(store, 'r', 1)
      store.close!()
      store.close!()
      const late = [
        store.createHeader(headerOf('r')),
        store.writeHeader(headerOf('r')),
        store.readHeader('r'),
        store.readState('r'),
        store.append('r', stepRow(2)),
        store.read('r'),
        store.readPage('r'),
        store.readWriteId('r', 1),
        store.maxSeq('r'),
        store.truncated('r'),
        store.claim('r', 1),
        store.listRuns({ finished: true, until: 1 }),
        store.trim('r', 1),
        store.remove('r'),
      ]
      for (const one of await Promise.allSettled(late)) {
        assert.equal(one.status === 'rejected' && one.reason.code, 'STORAGE_CLOSED')
      }
    },
    'close',
  )

  behaviour(
    'keeps what was acknowledged for who opens the logs later',
    async ({ store, another }) => {
      await openLog(store, 'r', 3)
      store.close!()
      assert.equal(await (await another()).maxSeq('r'), 3)
    },
    'another',
    'close',
  )
}
