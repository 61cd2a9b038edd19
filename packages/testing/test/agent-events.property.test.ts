import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type AgentEvent,
  agentEventsOf,
  agentEventsOfFailure,
  agentMessageId,
  agentRunEnd,
  type AgentRun,
  noOpenItems,
  type OpenItems,
  reopenTexts,
  type ToldRun,
  trackAgentEvent,
  trackSessionEvent,
  unfinishedTexts,
  untoldRun,
} from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { isKnownSessionEvent, runtimeEventFromSessionEvent } from '@daybook/core/events'
import { agentEventProblems } from '@daybook/testing'
import fc from 'fast-check'
import { anyEnding, type AnySessionEvent, anySessionEvents } from './random-session-events.ts'
import { openTexts, saidTexts, shownTexts } from './told-texts.ts'

const ids = { sessionId: 'thread', invocationId: 'invocation', runId: 'run' }
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
          const unfinished = unfinishedTexts(again, []).map(
            ({ type, block, text }) => [agentMessageId(run.runId, type, block.messageId), text] as const,
          )
          assert.deepEqual(new Map(unfinished), openTexts(kept))
          const failure = agentEventsOfFailure(again, { code: 'app_restarted', message: 'gone' })
          const whole = [...kept, ...failure]
          assert.deepEqual(await agentEventProblems(whole, run.protocolVersion), [])
          assert.notEqual(agentRunEnd(whole.at(-1)!), undefined)
          assert.deepEqual(unfinishedTexts(again, []), [])
        }),
        { numRuns: 100 },
      )
    })

    test('is told as far as it was, to the ledger that misses it', () => {
      fc.assert(
        fc.property(anySessionEvents, (events) => {
          const told = untoldRun(run)
          const items = noOpenItems()
          const facts: RuntimeEvent[] = []
          const shown = events.filter(isNoEnding).map((event) => {
            const agentEvents = agentEventsOf(told, event)
            if (isKnownSessionEvent(event)) trackSessionEvent(items, event)
            const fact = runtimeEventFromSessionEvent(event, ids, items)
            if (fact !== undefined) facts.push(fact)
            return { agentEvents, isFact: fact !== undefined }
          })
          // The process dies after the fact, before its rows.
          if (shown.at(-1)?.isFact === true) shown.pop()
          const again = rebuilt(
            run,
            shown.flatMap(({ agentEvents }) => agentEvents),
          )
          const reopened = noOpenItems()
          reopenTexts(reopened, again, facts)
          assert.deepEqual(textsOf(reopened), textsOf(items))
        }),
        { numRuns: 200 },
      )
    })
  })
}

function isNoEnding({ type }: AnySessionEvent): boolean {
  return type !== 'complete' && type !== 'abort'
}

function textsOf({ texts }: OpenItems): ReadonlyMap<string, string> {
  const all = [...texts].map(([key, { chunks }]) => [key, chunks.join('')] as const)
  return new Map(all.filter(([, text]) => text !== ''))
}
