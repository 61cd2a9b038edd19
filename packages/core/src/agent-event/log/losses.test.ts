import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { AgentEventLosses } from './losses.ts'
import { agentEventNames } from '../mapping/names.ts'
import { gapMarker } from './markers.ts'

const error = new Error('the disk is full')
const started: AgentEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const step = (stepName: string): AgentEvent => ({ type: 'STEP_STARTED', stepName })
const textStart: AgentEvent = { type: 'TEXT_MESSAGE_START', messageId: 'm' }
const textEnd: AgentEvent = { type: 'TEXT_MESSAGE_END', messageId: 'm' }
const custom: AgentEvent = { type: 'CUSTOM', name: 'note', value: null }
const failed: AgentEvent = { type: 'RUN_ERROR', message: 'no' }

/** Everything that is stored on the way to the event, the event included. */
function storing(losses: AgentEventLosses, event: AgentEvent): AgentEvent[] {
  const rows: AgentEvent[] = []
  for (let before; (before = losses.before(event)) !== undefined;) {
    rows.push(before)
    losses.stored(before)
  }
  losses.stored(event)
  return [...rows, event]
}

describe('AgentEventLosses', () => {
  test('tells once, before the next row, how many rows are missing', () => {
    const losses = new AgentEventLosses()
    losses.lose(custom, error)
    losses.lose({ ...custom }, error)
    assert.ok(!losses.isEmpty)
    assert.deepEqual(storing(losses, step('s')), [gapMarker({ reason: 'store_failed', dropped: 2 }), step('s')])
    assert.ok(losses.isEmpty)
    assert.deepEqual(storing(losses, custom), [custom])
  })

  test('never puts the marker before the beginning of the run', () => {
    const losses = new AgentEventLosses()
    losses.lose(custom, error)
    assert.deepEqual(storing(losses, started), [started])
    assert.deepEqual(storing(losses, custom), [gapMarker({ reason: 'store_failed', dropped: 1 }), custom])
  })

  test('writes the beginning of the run again before anything else, and ends of spans after the marker', () => {
    const losses = new AgentEventLosses()
    for (const event of [custom, textEnd, started]) losses.lose(event, error)
    const marker = gapMarker({ reason: 'store_failed', dropped: 1 })
    assert.deepEqual(storing(losses, failed), [started, marker, textEnd, failed])
    assert.ok(losses.isEmpty)
  })

  test('writes the end that its producer lost, not the one that was made in its place', () => {
    const losses = new AgentEventLosses()
    losses.lose(textStart, error)
    losses.found(textStart)
    const lost = { ...textEnd, timestamp: 1 }
    losses.lose(lost, error)
    assert.deepEqual(storing(losses, failed), [lost, failed])
    assert.ok(losses.isEmpty)
  })

  test('leaves out what belongs to a span whose beginning is missing, though the one before it is ended late', () => {
    const losses = new AgentEventLosses()
    losses.lose(textEnd, error)
    losses.lose(textStart, error)
    losses.stored(losses.before(custom)!)
    losses.stored(losses.before(custom)!)
    assert.deepEqual(losses.refusal({ ...textEnd }), { error })
  })

  test('writes an end once that who lost it records again', () => {
    const losses = new AgentEventLosses()
    losses.lose(textEnd, error)
    assert.deepEqual(storing(losses, { ...textEnd }), [textEnd])
    assert.ok(losses.isEmpty)
  })

  test('leaves out what belongs to a span whose beginning is missing, until it has ended or begins again', () => {
    const losses = new AgentEventLosses()
    losses.lose(textStart, error)
    const delta = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' }
    assert.deepEqual(losses.refusal(delta), { error })
    assert.equal(losses.refusal({ ...delta, messageId: 'other' }), undefined)
    for (const event of [delta, textEnd]) losses.lose(event, losses.refusal(event)?.error)
    assert.equal(losses.refusal(delta), undefined)
    assert.deepEqual(losses.before(custom), gapMarker({ reason: 'store_failed', dropped: 3 }))
    losses.lose(textStart, error)
    losses.stored({ ...textStart })
    assert.equal(losses.refusal(delta), undefined)
  })

  test('leaves out all of a sub-agent whose beginning is missing, and the sub-agents in it', () => {
    const losses = new AgentEventLosses()
    losses.lose({ type: 'SUBAGENT_STARTED', subagentRunId: 'a', name: 'a' }, error)
    const inner = { type: 'SUBAGENT_STARTED', subagentRunId: 'b', parentSubagentRunId: 'a', name: 'b' }
    assert.deepEqual(losses.refusal(inner), { error })
    losses.lose(inner, error)
    for (const subagentRunId of ['a', 'b']) {
      assert.deepEqual(losses.refusal({ ...step('s'), subagentRunId }), { error })
      assert.deepEqual(losses.refusal({ type: 'SUBAGENT_FINISHED', subagentRunId }), { error })
    }
    assert.equal(losses.refusal(step('s')), undefined)
  })

  test('leaves out all of a reasoning whose beginning is missing', () => {
    const losses = new AgentEventLosses()
    losses.lose({ type: 'REASONING_START', messageId: 'm' }, error)
    for (const event of [
      { type: 'REASONING_MESSAGE_START', messageId: 'm' },
      { type: 'REASONING_ENCRYPTED_VALUE', entityId: 'm' },
      { type: 'REASONING_END', messageId: 'm' },
    ]) {
      assert.deepEqual(losses.refusal(event), { error })
    }
    assert.equal(losses.refusal({ type: 'REASONING_MESSAGE_START', messageId: 'n' }), undefined)
  })

  test('knows sub-agents as clients are told of them that have no types for them', () => {
    const losses = new AgentEventLosses()
    const told = (name: string, value: object): AgentEvent => ({ type: 'CUSTOM', name, value: { ...value } })
    const finished = told(agentEventNames.subagentFinished, { subagentRunId: 'a' })
    losses.lose(finished, error)
    assert.deepEqual(losses.owed, [finished])
    losses.lose(told(agentEventNames.subagentStarted, { subagentRunId: 'b' }), error)
    const inner = { subagentRunId: 'c', parentSubagentRunId: 'b' }
    for (const event of [
      { ...custom, subagentRunId: 'b' },
      told(agentEventNames.subagentStarted, inner),
      told(agentEventNames.subagentError, { subagentRunId: 'b' }),
    ]) {
      assert.deepEqual(losses.refusal(event), { error })
    }
  })

  test('does not count an end of the run: who recorded it knows', () => {
    const losses = new AgentEventLosses()
    losses.lose(failed, error)
    assert.ok(losses.isEmpty)
  })

  test('takes back what turns out to be stored: an event, a marker, an end', () => {
    const losses = new AgentEventLosses()
    losses.lose(custom, error)
    losses.found(custom)
    losses.lose(textEnd, error)
    losses.found(textEnd)
    assert.ok(losses.isEmpty)
    losses.lose(custom, error)
    const marker = losses.before(step('s'))!
    losses.lose(step('s'), error)
    losses.stored(marker)
    assert.deepEqual(losses.before(custom), gapMarker({ reason: 'store_failed', dropped: 1 }))
  })

  test('ends a span whose beginning was lost and turns out to be stored, and leaves out what else comes of it', () => {
    for (const [start, within, end] of [
      [textStart, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' }, textEnd],
      [step('s'), undefined, { type: 'STEP_FINISHED', stepName: 's' }],
    ] as const) {
      const losses = new AgentEventLosses()
      losses.lose(start, error)
      losses.found(start)
      if (within !== undefined) assert.deepEqual(losses.refusal(within), { error })
      assert.deepEqual(losses.owed, [end])
      const copy = losses.copy()
      assert.deepEqual(storing(copy, custom), [end, custom])
      assert.equal(losses.refusal(end), undefined)
      assert.deepEqual(storing(losses, { ...end }), [end])
      assert.ok(losses.isEmpty)
    }
  })

  test('has a sub-agent go on whose beginning turns out to be stored', () => {
    const losses = new AgentEventLosses()
    const start = { type: 'SUBAGENT_STARTED', subagentRunId: 'a', name: 'a' }
    losses.lose(start, error)
    losses.found(start)
    assert.ok(losses.isEmpty)
  })

  test('counts what another one counted, and is copied whole', () => {
    const [losses, other] = [new AgentEventLosses(), new AgentEventLosses()]
    losses.lose(custom, error)
    other.lose(textStart, error)
    losses.absorb(other)
    losses.lose({ type: 'STEP_FINISHED', stepName: 's' }, error)
    const copy = losses.copy()
    assert.deepEqual(storing(losses, custom), [
      gapMarker({ reason: 'store_failed', dropped: 2 }),
      { type: 'STEP_FINISHED', stepName: 's' },
      custom,
    ])
    assert.deepEqual(storing(copy, custom).length, 3)
    assert.deepEqual(copy.refusal(textEnd), { error })
  })
})
