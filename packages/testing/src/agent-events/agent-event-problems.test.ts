import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentEvent } from '@daybook/core'
import { agentEventProblems } from './agent-event-problems.ts'

// Client 1.0.0 would tell the console what it takes away.
process.env.SUPPRESS_TRANSFORMATION_WARNINGS = '1'

const start: AgentEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const end: AgentEvent = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const text: AgentEvent = { type: 'TEXT_MESSAGE_START', messageId: 'm' }
const cancelled: AgentEvent = { ...end, outcome: { type: 'cancelled' } }
const interrupt: AgentEvent = { ...end, outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'tool_call' }] } }

const cases: readonly [title: string, events: readonly AgentEvent[], protocolVersion: string, problems: RegExp[]][] = [
  ['a run', [start, end], '0.0.59', []],
  ['a run that has not ended', [start, text], '1.0', []],
  ['a run that was cancelled', [start, cancelled], '1.0', []],
  ['a run that waits', [start, interrupt], '0.0.59', []],
  [
    'a cancelled run for a client that does not know it',
    [start, cancelled],
    '0.0.59',
    [/event 2.*no event of 0\.0\.59/],
  ],
  ['no start', [text], '1.0', [/1\.0\.0: .*First event/]],
  ['a text that is not ended', [start, text, end], '1.0', [/1\.0\.0: .*still active/]],
  ['a field of another type', [start, { ...text, messageId: 1 }], '1.0', [/event 2.*no event/, /client 1\.0\.0/]],
  ["a field that is not AG-UI's", [start, { ...text, seq: 1 }], '1.0', [/event 2, TEXT_MESSAGE_START, is not what/]],
  ["a type that is not AG-UI's", [start, { type: 'NOVELTY' }], '1.0', [/event 2.*no event/, /leaves out/]],
  ['what follows the end', [start, interrupt, start], '1.0', [/event 3, RUN_STARTED, follows the end/]],
]

describe('agentEventProblems', () => {
  for (const [title, events, protocolVersion, problems] of cases) {
    test(`says what is wrong with ${title}`, async () => {
      const found = await agentEventProblems(events, protocolVersion)
      assert.equal(found.length, problems.length, found.join('\n'))
      for (const [index, problem] of problems.entries()) assert.match(found[index]!, problem)
    })
  }

  test('asks the older client too where no version was declared', async () => {
    const found = await agentEventProblems([start, text, end])
    assert.deepEqual(
      found.map((problem) => /^client [\d.]+/.exec(problem)?.[0]),
      ['client 1.0.0', 'client 0.0.59'],
    )
  })
})
