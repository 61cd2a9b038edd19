import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { answered, asked, ended, type Fact, ledgerOf, opened } from '../../test/ledger-of.ts'
import { requestsFromSessionEvents } from './rebuild.ts'

const digest = () => '0'.repeat(64)
const statesOf = (facts: readonly Fact[]) =>
  requestsFromSessionEvents('session', ledgerOf(facts), digest).map(({ requestId, state }) => `${requestId} ${state}`)
const ofTurn = (turnId: string, fact: Fact): Fact => ({ ...fact, turnId })

test('tells what was asked, in the order of the ledger, and the first thing that closed it', () => {
  const facts = [
    opened('i'),
    asked('i', 'z'),
    asked('i', 'a'),
    asked('i', 'left'),
    answered('i', 'z', { outcome: 'denied' }),
    answered('i', 'z'),
    { invocationId: 'i', actions: { answerAck: { requestId: 'a' } } },
    answered('i', 'a'),
    answered('i', 'none'),
    ended('i', 'failed'),
  ]
  assert.deepEqual(statesOf(facts), ['z denied', 'a answered', 'left unanswered'])
  const [first, second] = requestsFromSessionEvents('session', ledgerOf(facts), digest)
  assert.deepEqual([first?.answer?.outcome, second?.answer], ['denied', null])
})

test('keeps what waits through continuations of its turn, until one ends it', () => {
  const waiting = [opened('i'), asked('i', 'a'), asked('i', 'b'), ended('i', 'waiting')]
  const goesOn = [opened('j', { kind: 'continuation', of: 'i' }), answered('j', 'a'), ended('j', 'waiting')]
  const facts = [...waiting, ...goesOn].map((fact) => ofTurn('turn', fact))
  assert.deepEqual(statesOf(facts), ['a approved', 'b open'])
  const last = [opened('k', { kind: 'continuation', of: 'j' }), ended('k', 'aborted')]
  assert.deepEqual(statesOf([...facts, ...last.map((fact) => ofTurn('turn', fact))]), ['a approved', 'b unanswered'])
})

test('a later turn passes by what waits, and spares what sub-agents ask', () => {
  const opening = opened('agent')
  const agent = { ...opening, content: { ...opening.content!, lineage: { parentInvocationId: 'i' } } }
  const facts = [opened('i'), asked('i', 'r'), agent, asked('agent', 'of agent'), ended('i', 'waiting')]
  assert.deepEqual(statesOf(facts), ['r open', 'of agent open'])
  assert.deepEqual(statesOf([...facts, opened('j')]), ['r unanswered', 'of agent open'])
})

test('the first question under an id is the one, also after it was closed', () => {
  const facts = [asked('i', 'r', { payload: 1 }), answered('i', 'r'), asked('i', 'r', { payload: 2 })]
  const requests = requestsFromSessionEvents('session', ledgerOf(facts), digest)
  assert.deepEqual(
    requests.map(({ payload, state }) => [payload, state]),
    [[1, 'approved']],
  )
})

test('ignores stragglers and other sessions', () => {
  const facts = [
    opened('i'),
    asked('i', 'r'),
    ended('i', 'waiting'),
    answered('i', 'r'),
    asked('i', 'late'),
    ended('i', 'failed'),
  ]
  assert.deepEqual(statesOf(facts), ['r open'])
  assert.deepEqual(requestsFromSessionEvents('another', ledgerOf(facts), digest), [])
})

test('does not depend on the order in which the events are given', () => {
  const facts = [
    opened('i'),
    asked('i', 'a'),
    answered('i', 'a'),
    asked('i', 'b'),
    ended('i', 'waiting'),
    opened('j'),
    asked('j', 'c'),
    ended('j', 'failed'),
  ]
  const events = ledgerOf(facts)
  const expected = requestsFromSessionEvents('session', events, digest)
  fc.assert(
    fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
      assert.deepEqual(requestsFromSessionEvents('session', shuffled, digest), expected)
    }),
    { numRuns: 50 },
  )
})
