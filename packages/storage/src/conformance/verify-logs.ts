import assert from 'node:assert/strict'
import {
  type AgentEvent,
  type AgentEventHeader,
  agentEventsOf,
  agentEventsOfStart,
  type NewAgentEventRow,
  type OpenedStorage,
  untoldRun,
  type VerifyReport,
} from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { SessionEvent } from '@daybook/core/events'
import { openLog } from './agent-events/samples.ts'
import { idsOf, openRun, type RunIds, terminalEvent, textEvent } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

/** What verify finds of delivery logs. */
export function verifyLogsBehaviour(behaviour: Behaviour): void {
  behaviour('holds each delivery log against the events of its run, and counts it', async ({ storage }) => {
    await toldRun(storage, idsOf('s', 'i'))
    await toldRun(storage, idsOf('s', 'j'))
    await toldRun(storage, idsOf('t', 'k'))
    assert.deepEqual(found(await storage.events.verifyStore()), [3, 15])
    assert.deepEqual(found(await storage.events.verifySession('s')), [2, 10])
  })

  behaviour('names a delivery log that tells another text than the event holds', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await toldRun(storage, ids, { told: 'hallo' })
    await toldRun(storage, idsOf('s', 'j'))
    const { ok, problems } = await storage.events.verifySession('s')
    const place = { sessionId: 's', invocationId: 'i', runId: ids.runId, logSeq: 4, eventSeq: 2 }
    assert.deepEqual(
      [ok, problems],
      [false, [{ code: 'log_differs', ...place, message: 'tells another text than the event holds' }]],
    )
  })

  behaviour(
    'names a delivery log that ends while its run goes on, and notes one that does not end',
    async ({ storage }) => {
      await toldRun(storage, idsOf('s', 'i'), { endsRun: false })
      await toldRun(storage, idsOf('t', 'j'), { endsLog: false })
      assert.deepEqual(found(await storage.events.verifySession('s')), [1, 5, 'log_differs', 'unfinished'])
      assert.deepEqual(found(await storage.events.verifySession('t')), [1, 4, 'log_unfinished'])
    },
  )

  behaviour('takes what a delivery log lacks for no fault where the log says so', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await toldRun(storage, ids, { endsLog: false })
    await storage.agentEvents.trim(ids.runId, 3)
    assert.deepEqual(found(await storage.events.verifyStore()), [1, 2, 'log_unfinished', 'log_incomplete'])
  })

  behaviour('notes a delivery log of no run, whatever its rows are', async ({ storage }) => {
    const { agentEvents } = storage
    await openLog(agentEvents, 'alone', 3)
    await agentEvents.append('alone', { seq: 4, event: { type: 'RUN_ERROR', message: 'no' }, finishedAt: 1 })
    await agentEvents.append('alone', { seq: 5, event: { type: 'TEXT_MESSAGE_END', messageId: 'm' } })
    await openLog(agentEvents, 'empty')
    const report = await storage.events.verifyStore()
    assert.deepEqual(found(report), [2, 5, 'log_without_run', 'log_without_run'])
    const message = 'is the log of no run here'
    assert.deepEqual(report.notes[0], { code: 'log_without_run', sessionId: null, runId: 'alone', message })
  })

  behaviour('covers more rows of a delivery log than a page holds', async ({ storage }) => {
    await openLog(storage.agentEvents, 'long', 2500)
    assert.deepEqual(found(await storage.events.verifyStore()), [1, 2500, 'log_without_run'])
  })
}

function found({ logs, agentEvents, problems, notes }: VerifyReport): unknown[] {
  return [logs, agentEvents, ...[...problems, ...notes].map(({ code }) => code)]
}

/** A run that says hello, with the log that tells of it. */
export async function toldRun(
  storage: OpenedStorage,
  ids: RunIds,
  { told = 'hello', endsRun = true, endsLog = true }: { told?: string; endsRun?: boolean; endsLog?: boolean } = {},
): Promise<void> {
  const { sessionId: threadId, runId, invocationId, turnId } = ids
  const header: AgentEventHeader = { runId, threadId, tenant: null, gates: [], userId: null, operatorId: null }
  const run = untoldRun(header)
  let seq = 0
  const rowsOf = (events: readonly AgentEvent[]): NewAgentEventRow[] => events.map((event) => ({ seq: ++seq, event }))
  const showOf = (event: object): NewAgentEventRow[] =>
    rowsOf(agentEventsOf(run, { id: '', turnId, ts: 2, ...event } as SessionEvent))
  const append = (event: RuntimeEvent, rows: NewAgentEventRow[]): Promise<unknown> =>
    storage.events.append({ invocationId, epoch: 1, events: [event], agentEvents: { rows } })

  await openRun(storage, ids, { exclusive: false, agentEvents: { header, rows: rowsOf(agentEventsOfStart(run)) } })
  const said: RuntimeEvent = { ...textEvent(ids, 'text', 'hello'), refs: { messageId: 'm' } }
  await append(said, showOf({ type: 'text_complete', messageId: 'm', text: told }))
  const last = showOf({ type: 'complete', stopReason: 'end_turn' }).map((row) => ({ ...row, finishedAt: 9 }))
  if (endsRun) await append(terminalEvent(ids), endsLog ? last : [])
  else if (endsLog) await storage.agentEvents.append(runId, last[0]!)
}
