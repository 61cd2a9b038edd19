import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryRoot } from '../../../test/temporary-root.ts'
import { headerOf } from '../../conformance/agent-events/samples.ts'
import { loadDriver } from '../driver.ts'
import { acquireLease } from '../lease.ts'
import { openSqlite } from '../open-sqlite.ts'

/** What another process does between two statements of one read: it puts another log where the first one was. */
const replacing = `
  DELETE FROM agent_events; DELETE FROM agent_event_logs;
  INSERT INTO agent_event_logs (number, run_id, thread_id, opened_at, last_seq, floor, bytes, truncated, details)
    VALUES (1, 'b', 't', 1, 1, 1, 17, 0, '{}');
  INSERT INTO agent_events (log, last_seq, write_id, lines) VALUES (1, 1, 'other', '{"type":"OTHER"}');`

test('a log is read at one time, whatever another process puts in its place meanwhile', async (t) => {
  const root = temporaryRoot(t)
  const { agentEvents } = openSqlite(root, { durability: 'normal' })
  const other = new (loadDriver())(join(root, 'daybook.sqlite'))
  const lease = acquireLease(root, { durability: 'normal' })
  t.after(() => {
    other.close()
    lease.close()
    agentEvents.close?.()
  })
  for (const read of ['read', 'readPage', 'readWriteId'] as const) {
    await agentEvents.remove('b')
    await agentEvents.createHeader(headerOf('a'))
    await agentEvents.append('a', { seq: 1, event: { type: 'MINE' }, writeId: 'mine' })
    await lease.read((operations) => {
      const logs = operations.agentEventLogs as { ofRun: typeof operations.agentEventLogs.ofRun }
      const { ofRun } = logs
      logs.ofRun = (runId) => {
        logs.ofRun = ofRun
        const log = ofRun(runId)
        other.exec(replacing)
        return log
      }
    })
    const found = read === 'readWriteId' ? await agentEvents.readWriteId('a', 1) : await agentEvents[read]('a')
    assert.doesNotMatch(JSON.stringify(found), /other/i, read)
    assert.match(JSON.stringify(found), /mine/i, read)
    assert.equal(await agentEvents.readHeader('a'), undefined)
  }
})
