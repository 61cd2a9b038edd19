import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentEvent, AgentEventHeader } from '@daybook/core'
import { agentEventLogProblems, type AgentEventLogs } from './agent-event-log-problems.ts'

const start: AgentEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const end: AgentEvent = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const text: AgentEvent = { type: 'TEXT_MESSAGE_START', messageId: 'm' }

interface Log {
  readonly events: readonly AgentEvent[]
  readonly finishedAt?: number
  readonly seqs?: readonly number[]
}

/** Logs by run id, one on each page of a listing, and one row on each page of a log. */
function storeOf(logs: Readonly<Record<string, Log>>): AgentEventLogs {
  const rest = { threadId: 't', tenant: null, gates: [], userId: null, operatorId: null, protocolVersion: '1.0' }
  return {
    async listRuns({ finished, after }) {
      const headers = Object.entries(logs).flatMap(([runId, { finishedAt }]): AgentEventHeader[] =>
        (finishedAt !== undefined) === finished ? [{ runId, ...rest, ...(finishedAt && { finishedAt }) }] : [],
      )
      const index = headers.findIndex(({ runId }) => runId === after?.runId) + 1
      const header = headers[index]
      const next = index + 1 < headers.length ? { at: null, runId: header!.runId } : null
      return { items: header === undefined ? [] : [header], next, floor: 1 }
    },
    async readPage(runId, { after = 0 } = {}) {
      const { events, seqs } = logs[runId]!
      const event = events[after]
      const items = event === undefined ? [] : [{ seq: seqs?.[after] ?? after + 1, event }]
      return { items, next: after + 1 < events.length ? after + 1 : null, floor: 1 }
    },
  }
}

describe('agentEventLogProblems', () => {
  test('finds nothing in logs that are whole, as far as they have come', async () => {
    const store = storeOf({
      a: { events: [start, end], finishedAt: 1 },
      b: { events: [start, text] },
      c: { events: [] },
    })
    assert.deepEqual(await agentEventLogProblems(store), [])
  })

  test('says of each log, on every page, what is wrong with it', async () => {
    const store = storeOf({
      a: { events: [start, end], finishedAt: 1 },
      unended: { events: [start], finishedAt: 1 },
      open: { events: [start, end] },
      hole: { events: [start, text], seqs: [1, 3] },
      refused: { events: [text] },
    })
    const problems = await agentEventLogProblems(store)
    assert.deepEqual(problems.slice(0, 3), [
      'the log of run "unended": it is finished without an end of the run',
      'the log of run "open": it is open after the end of the run',
      'the log of run "hole": row 2 has seq 3',
    ])
    assert.match(problems[3]!, /^the log of run "refused": client 1\.0\.0: .*First event/)
    assert.equal(problems.length, 4)
  })

  test('leaves out a log that is wrong on purpose, and tells of one that is not wrong at all', async () => {
    const store = storeOf({ wrong: { events: [text] }, right: { events: [start] } })
    const except = { wrong: 'it has no beginning', right: 'nobody knows' }
    assert.deepEqual(await agentEventLogProblems(store, { except }), [
      'the log of run "right": nothing is wrong, though nobody knows',
    ])
  })
})
