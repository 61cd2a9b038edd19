import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppendRequest, OpenedStorage, OpenRunRequest } from '@daybook/core'
import type { HistoryEntry } from './history-entry.ts'
import { recordHistory } from './record-history.ts'

const ids = { sessionId: 's', invocationId: 'i', runId: 'r', turnId: 't' }
const event = (id: string) => ({ id, ...ids })

/** Answers what the recorder looks at, by methods that need their own object. */
class Stores {
  readonly #epoch = 1

  async openRun() {
    return { ...ids, epoch: this.#epoch }
  }
  async claimRun() {
    return { ...ids, epoch: this.#epoch + 1 }
  }
  async readRun() {
    return { ...ids, epoch: this.#epoch }
  }
  async append({ events }: AppendRequest) {
    if (events[0]?.id === 'refused') throw new Error('sealed')
    return events.map(({ id }) => ({ eventId: id, eventSeq: 3, sessionSeq: 7, duplicate: true }))
  }
  async readSessionRuntimeEvents() {
    return [{ event: event('one'), eventSeq: 1, sessionSeq: 1, committedAt: 0 }]
  }
}

function record() {
  const stores = new Stores()
  const told: HistoryEntry[] = []
  const storage = { runs: stores, events: stores, identity: { description: 'test' } } as unknown as OpenedStorage
  return { storage, told, recorded: recordHistory(storage, (entry) => told.push(entry)) }
}

describe('recordHistory', () => {
  test('tells what was acknowledged, and when', async () => {
    const { recorded, told } = record()
    await recorded.runs.openRun({ events: [event('opened'), event('said')] } as unknown as OpenRunRequest)
    await recorded.runs.claimRun({ runId: 'r', expectedEpoch: 1, owner: {} as never })
    await recorded.events.append({ invocationId: 'i', epoch: 2, events: [event('again') as never] })
    await recorded.events.readSessionRuntimeEvents('s')
    const times = told.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt])
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    const opened = ['opened', 'said'].map((eventId, index) => ({ eventId, eventSeq: index + 1, duplicate: false }))
    const again = { eventId: 'again', eventSeq: 3, sessionSeq: 7, duplicate: true }
    const of = { sessionId: 's', invocationId: 'i', startedAt: 0, endedAt: 0 }
    assert.deepEqual(
      told.map((entry) => ({ ...of, ...entry, startedAt: 0, endedAt: 0 })),
      [
        { ...of, kind: 'append', epoch: 1, events: opened },
        { ...of, kind: 'claim', epoch: 2 },
        { ...of, kind: 'append', epoch: 2, events: [again] },
        { ...of, kind: 'read', events: [{ invocationId: 'i', eventId: 'one' }] },
      ],
    )
  })

  test('tells nothing of what was refused', async () => {
    const { recorded, told } = record()
    const request = { invocationId: 'i', epoch: 1, events: [event('refused') as never] as const }
    await assert.rejects(recorded.events.append(request), /sealed/)
    assert.deepEqual(told, [])
  })

  test('leaves everything else to the storage', async () => {
    const { recorded, storage, told } = record()
    assert.equal(recorded.identity, storage.identity)
    assert.deepEqual(await recorded.runs.readRun('r'), { ...ids, epoch: 1 })
    assert.deepEqual(told, [])
  })
})
