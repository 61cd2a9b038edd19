import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type AgentEvent,
  agentEventsOf,
  agentEventsOfFailure,
  agentMessageId,
  agentRunEnd,
  type AgentRun,
  type ToldRun,
  trackAgentEvent,
  unfinishedTexts,
  untoldRun,
} from '@daybook/core'
import { agentEventProblems } from '@daybook/testing'
import fc from 'fast-check'
import { anyEnding, anySessionEvents } from './random-session-events.ts'
import { openTexts, saidTexts, shownTexts } from './told-texts.ts'

const runs: readonly AgentRun[] = [
  { runId: 'run', threadId: 'thread', protocolVersion: '1.0', wait: 'live' },
  { runId: 'run', threadId: 'thread', parentRunId: 'before', wait: 'live' },
]

function rebuilt(run: AgentRun, events: readonly AgentEvent[]): ToldRun {
  const told = untoldRun(run)
  for (const event of events) trackAgentEvent(told, event)
  return told
}

for (const run of runs) {
  describe(`whatever a backend says to a client of ${run.protocolVersion ?? 'an older protocol'}`, () => {
    test('is told as events that clients take, with its texts, and ends once', async () => {
      await fc.assert(
        fc.asyncProperty(anySessionEvents, anyEnding, async (events, ending) => {
          const told = untoldRun(run)
          const all = [...events, ending]
          const shown = all.flatMap((event) => agentEventsOf(told, event))
          assert.deepEqual(await agentEventProblems(shown, run.protocolVersion), [])
          assert.equal(shown[0]?.type, 'RUN_STARTED')
          assert.notEqual(agentRunEnd(shown.at(-1)!), undefined)
          assert.deepEqual(shownTexts(shown), saidTexts(run.runId, all))
        }),
        { numRuns: 150 },
      )
    })

    test('is known again from the events, and can be ended after any of them', async () => {
      await fc.assert(
        fc.asyncProperty(anySessionEvents, fc.nat(), async (events, cut) => {
          const told = untoldRun(run)
          const shown = events.flatMap((event) => agentEventsOf(told, event))
          assert.deepEqual(rebuilt(run, shown), told)
          const kept = shown.slice(0, cut % (shown.length + 1))
          const again = rebuilt(run, kept)
          const unfinished = unfinishedTexts(again).map(
            ({ type, block, text }) => [agentMessageId(run.runId, type, block.messageId), text] as const,
          )
          assert.deepEqual(new Map(unfinished), openTexts(kept))
          const failure = agentEventsOfFailure(again, { code: 'app_restarted', message: 'gone' })
          const whole = [...kept, ...failure]
          assert.deepEqual(await agentEventProblems(whole, run.protocolVersion), [])
          assert.notEqual(agentRunEnd(whole.at(-1)!), undefined)
          assert.deepEqual(unfinishedTexts(again), [])
        }),
        { numRuns: 100 },
      )
    })
  })
}
