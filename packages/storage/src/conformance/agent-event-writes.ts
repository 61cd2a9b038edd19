import assert from 'node:assert/strict'
import type { AgentEventHeader, AgentEventWrites, NewAgentEventRow, OpenedStorage } from '@daybook/core'
import { idsOf, openRun, type RunIds, terminalEvent, textEvent } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

export function agentEventWriteBehaviour(behaviour: Behaviour): void {
  behaviour('writes facts and rows together, and finishes the log with the last', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids, { agentEvents: { header: headerOf(ids), rows: [row(1)] } })
    await appendWith(storage, ids, 'a', [row(2), row(3)])
    assert.deepEqual(await seqsOf(storage, ids), [1, 2, 3])
    const agentEvents = { rows: [{ ...row(4), finishedAt: 9 }] }
    await storage.events.append({ invocationId: 'i', epoch: 1, events: [terminalEvent(ids)], agentEvents })
    assert.equal((await storage.agentEvents.readHeader(ids.runId))?.finishedAt, 9)
    assert.equal((await storage.runs.readRun(ids.runId))?.state, 'completed')
  })

  behaviour('writes neither where the other is refused', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await assert.rejects(openRun(storage, ids, { agentEvents: { rows: [row(1)] } }), {
      code: 'AGENT_EVENT_LOG_NOT_OPEN',
    })
    assert.equal(await storage.runs.readRun(ids.runId), undefined)
    const foreign = { header: { ...headerOf(ids), runId: 'another' }, rows: [] }
    await assert.rejects(openRun(storage, ids, { agentEvents: foreign }), { code: 'INVALID_INPUT' })
    await openRun(storage, ids, { agentEvents: { header: headerOf(ids), rows: [row(1)] } })
    await assert.rejects(appendWith(storage, ids, 'a', [row(1)]), { code: 'AGENT_EVENT_DUPLICATE_SEQ' })
    await assert.rejects(appendWith(storage, ids, 'a', [row(2), row(4)]), { code: 'INVALID_INPUT' })
    await assert.rejects(appendWith(storage, ids, 'a', [row(2)], 7), { code: 'STALE_OWNER' })
    assert.equal((await storage.events.readRunRuntimeEvents(ids.runId)).items.length, 1)
    assert.deepEqual(await seqsOf(storage, ids), [1])
  })

  behaviour('takes a repeat of facts with rows that are new', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids, { agentEvents: { header: headerOf(ids), rows: [] } })
    await appendWith(storage, ids, 'a', [row(1)])
    const [again] = await appendWith(storage, ids, 'a', [row(2)])
    assert.equal(again?.duplicate, true)
    assert.deepEqual(await seqsOf(storage, ids), [1, 2])
  })
}

function headerOf({ runId, sessionId }: RunIds): AgentEventHeader {
  return { runId, threadId: sessionId, tenant: null, gates: [], userId: null, operatorId: null, openedAt: 1 }
}

function row(seq: number): NewAgentEventRow {
  return { seq, event: { type: 'CUSTOM', name: 'row', value: seq } }
}

function appendWith(
  { events }: OpenedStorage,
  ids: RunIds,
  id: string,
  rows: AgentEventWrites['rows'],
  epoch: number = 1,
): ReturnType<OpenedStorage['events']['append']> {
  const { invocationId } = ids
  return events.append({ invocationId, epoch, events: [textEvent(ids, id)], agentEvents: { rows } })
}

async function seqsOf({ agentEvents }: OpenedStorage, { runId }: RunIds): Promise<number[]> {
  return (await agentEvents.readPage(runId)).items.map(({ seq }) => seq)
}
