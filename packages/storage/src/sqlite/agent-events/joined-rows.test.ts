import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentEventRecord } from '@daybook/core'
import { temporaryRoot } from '../../../test/temporary-root.ts'
import { headerOf } from '../../conformance/agent-events/samples.ts'
import { idsOf, openRun } from '../../conformance/samples.ts'
import { openSqlite } from '../open-sqlite.ts'
import { joinRows, splitRows } from './joined-rows.ts'

function record(seq: number, json: string, writeId: string | null = null): AgentEventRecord {
  return { seq, json, writeId, bytes: Buffer.byteLength(json), truncates: false, finishedAt: null }
}

describe('joinRows', () => {
  test('gives the rows of one write as one, with the write id of the first, from which they are split again', () => {
    const joined = joinRows([record(7, '{"a":"\\n"}', 'w'), record(8, '{}'), record(9, '{"b":1}')])
    assert.deepEqual(joined, [{ lastSeq: 9, writeId: 'w', lines: '{"a":"\\n"}\n{}\n{"b":1}' }])
    assert.deepEqual(splitRows(9, joined[0]!.lines), [
      [7, '{"a":"\\n"}'],
      [8, '{}'],
      [9, '{"b":1}'],
    ])
  })

  test('begins again with each row that has a write id', () => {
    const joined = joinRows([record(1, '{}'), record(2, '{}', 'w'), record(3, '{}'), record(4, '{}', 'x')])
    assert.deepEqual(
      joined.map(({ lastSeq, writeId }) => [lastSeq, writeId]),
      [
        [1, null],
        [3, 'w'],
        [4, 'x'],
      ],
    )
  })

  test('joins a thousand rows at most, and takes more for one that is not JSON', () => {
    const joined = joinRows(Array.from({ length: 1001 }, (_, index) => record(index + 1, '{}')))
    assert.deepEqual(
      joined.map(({ lastSeq }) => lastSeq),
      [1000, 1001],
    )
    assert.equal(splitRows(1000, joined[0]!.lines).length, 1000)
    assert.deepEqual(splitRows(7, `${joined[0]!.lines}\n{}`), [[7, `${joined[0]!.lines}\n{}`]])
  })

  test('joins no more than a page of a few rows should read', () => {
    const [small, large] = ['x'.repeat(40_000), 'y'.repeat(200_000)]
    const joined = joinRows([record(1, small), record(2, small), record(3, large), record(4, small)])
    assert.deepEqual(
      joined.map(({ lastSeq, lines }) => [lastSeq, lines.length]),
      [
        [1, 40_000],
        [2, 40_000],
        [3, 200_000],
        [4, 40_000],
      ],
    )
  })
})

test('a run whose id stands between joined rows has its log read, verified and trimmed', async (t) => {
  const storage = openSqlite(temporaryRoot(t), { durability: 'normal' })
  t.after(() => storage.close())
  for (const runId of ['\n', '}\n{']) {
    const ids = { ...idsOf('s', `i${runId}`), runId }
    const rows = [1, 2, 3].map((seq) => ({ seq, event: { type: 'CUSTOM', name: 'daybook.provider_retry', value: {} } }))
    await openRun(storage, ids, { exclusive: false, agentEvents: { header: headerOf(runId, { threadId: 's' }), rows } })
    await storage.agentEvents.trim(runId, 3)
    const { items, floor } = await storage.agentEvents.readPage(runId)
    assert.deepEqual([items.map(({ seq }) => seq), floor], [[3], 3])
  }
  const { problems } = await storage.events.verifyStore()
  assert.deepEqual(problems, [])
})
