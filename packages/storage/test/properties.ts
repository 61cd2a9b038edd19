import assert from 'node:assert/strict'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { invocationState, runtimeInvocationsFromSessionEvents } from '@daybook/core/runtime-invocation'
import canonicalize from 'canonicalize'
import { activeRun, endOf, openedAt } from './history-model.ts'
import type { MutantName } from './mutants.ts'
import type { Observation } from './run-history.ts'

/** What every history shows, and the wrong edits of the sources that it notices: `run-mutants.ts` makes them. */
export interface Property {
  readonly title: string
  readonly kills: readonly MutantName[]
  readonly check: (observed: Observation) => void
}

export const properties: readonly Property[] = [
  {
    title: 'promise 1: what is stored is the one JSON text of what was appended',
    kills: ['members in the order that they were given in'],
    check: ({ model, sessions }) => {
      for (const { sessionId, payloads } of sessions) {
        const events = payloads.map((payload) => JSON.parse(payload) as RuntimeEvent)
        assert.deepEqual(
          payloads,
          events.map((event) => canonicalize(event)),
        )
        assert.deepEqual(
          events.map(withoutStamp),
          model.rows(sessionId).map(({ event }) => event),
        )
      }
    },
  },
  {
    title: 'promise 2: seqs have no gap and a session is read in their order, whatever the clocks say',
    kills: ['a session ordered by committed_at'],
    check: ({ model, sessions }) => {
      for (const { sessionId, events } of sessions) {
        assert.deepEqual(
          events.map(({ event, eventSeq, sessionSeq }) => ({ event: withoutStamp(event), eventSeq, sessionSeq })),
          model.rows(sessionId),
        )
      }
    },
  },
  {
    title: 'promise 3: an id is taken once in its invocation and nowhere else',
    kills: ['event ids that are unique everywhere', 'a global key of event ids'],
    check: ({ outcomes }) => {
      const decided = outcomes.filter(
        ({ expected }) => 'appended' in expected || isRefusal(expected, 'EVENT_ID_CONFLICT'),
      )
      assert.deepEqual(
        decided.map(({ actual }) => actual),
        decided.map(({ expected }) => expected),
      )
    },
  },
  {
    title: 'promise 4: the first terminal event ends an invocation, and nothing is appended after it',
    kills: ['no seal', 'the terminal event chosen by time in the index'],
    check: ({ model, outcomes, sessions }) => {
      const refused = outcomes.filter(
        ({ expected }) => isRefusal(expected, 'RUN_SEALED') || isRefusal(expected, 'STALE_OWNER'),
      )
      assert.deepEqual(
        refused.map(({ actual }) => actual),
        refused.map(({ expected }) => expected),
      )
      for (const { sessionId, listed, runs } of sessions) {
        for (const run of model.invocations(sessionId)) {
          const { terminalEvent } = listed.find(({ invocationId }) => invocationId === run.ids.invocationId)!
          assert.deepEqual(terminalEvent && withoutStamp(terminalEvent), endOf(run))
          const stored = runs.find((one) => one?.runId === run.ids.runId)
          assert.equal(stored?.state, invocationState({ ...(terminalEvent && { terminalEvent }) }))
        }
      }
    },
  },
  {
    title: 'promise 5: the index is the rebuild, in the order of opened times and of code points',
    kills: [
      'ids compared by locale',
      'ids compared by UTF-16 unit',
      'the terminal event chosen by time in the rebuild',
    ],
    check: ({ model, sessions }) => {
      for (const { sessionId, events, listed, paged } of sessions) {
        assert.deepEqual(listed, runtimeInvocationsFromSessionEvents(sessionId, events))
        assert.deepEqual(paged, listed)
        assert.deepEqual(
          listed.map((invocation) => [invocation.openedAt, invocation.invocationId]),
          model.invocations(sessionId).map((run) => [openedAt(run), run.ids.invocationId]),
        )
      }
    },
  },
  {
    title: 'promise 6: what is acknowledged is committed',
    kills: ['an answer before the commit'],
    check: ({ commits }) => {
      assert.deepEqual(
        commits.map(({ found }) => found),
        commits.map(({ acknowledged }) => acknowledged),
      )
    },
  },
  {
    title: 'promise 10: a session has one exclusive run at a time',
    kills: ['exclusive runs side by side'],
    check: ({ model, outcomes, sessions }) => {
      const opened = outcomes.filter(({ expected }) => 'epoch' in expected || isRefusal(expected, 'SESSION_BUSY'))
      assert.deepEqual(
        opened.map(({ actual }) => actual),
        opened.map(({ expected }) => expected),
      )
      for (const { sessionId, active } of sessions) {
        assert.equal(active?.runId, activeRun(model.invocations(sessionId))?.ids.runId)
      }
    },
  },
  {
    title: 'verify finds nothing wrong, and notes every foreign row',
    kills: ['a terminal event that vouches for nothing'],
    check: ({ model, sessions }) => {
      for (const { sessionId, report } of sessions) {
        assert.deepEqual(report.problems, [])
        const foreign = model.rows(sessionId).filter(({ event }) => event.id.startsWith('foreign'))
        const noted = report.notes.filter(({ code }) => code !== 'unfinished')
        assert.equal(noted.length, foreign.length)
      }
    },
  },
]

function isRefusal(outcome: object, code: string): boolean {
  return 'refused' in outcome && outcome.refused === code
}

/** The event as the producer gave it. */
function withoutStamp(event: RuntimeEvent): RuntimeEvent {
  const { actions: { ledgerDigest: _stamp, ...others } = {}, ...rest } = event
  return Object.keys(others).length === 0 ? rest : { ...rest, actions: others }
}
