import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nextInvocationStep, type InvocationInput, type LiveInvocationState } from './state-table.ts'

const live = ['absent', 'running', 'stopping'] as const
const ended = ['waiting', 'completed', 'failed', 'aborted', 'cancelled'] as const
const states: readonly LiveInvocationState[] = [...live, ...ended]

/** What happens in (absent, running, stopping, any ended state): next state and effect; an ended state stays. */
const cells: Record<InvocationInput, readonly [string, string, string, string]> = {
  send: ['running open', 'running SESSION_BUSY', 'stopping SESSION_BUSY', 'open'],
  backend_event: ['absent RUN_NOT_FOUND', 'running record', 'stopping record', 'ignore'],
  backend_completed: ['absent RUN_NOT_FOUND', 'completed end_completed', 'aborted end_aborted', 'ignore'],
  backend_failed: ['absent RUN_NOT_FOUND', 'failed end_failed', 'aborted end_aborted', 'ignore'],
  backend_aborted: ['absent RUN_NOT_FOUND', 'aborted end_aborted', 'aborted end_aborted', 'ignore'],
  backend_cancelled: ['absent RUN_NOT_FOUND', 'cancelled end_cancelled', 'aborted end_aborted', 'ignore'],
  backend_waiting: ['absent RUN_NOT_FOUND', 'waiting end_waiting', 'aborted end_aborted', 'ignore'],
  backend_ended_without_terminal: ['absent RUN_NOT_FOUND', 'failed end_failed', 'aborted end_aborted', 'ignore'],
  stop_requested: ['absent RUN_NOT_FOUND', 'stopping signal_backend', 'stopping ignore', 'ignore'],
  stop_timed_out: ['absent RUN_NOT_FOUND', 'running ignore', 'aborted end_aborted', 'ignore'],
  consumer_left: ['absent RUN_NOT_FOUND', 'stopping signal_backend', 'stopping ignore', 'ignore'],
  manager_closed: ['absent RUN_NOT_FOUND', 'stopping signal_backend', 'stopping ignore', 'ignore'],
  store_failed: ['absent ignore', 'failed end_failed', 'failed end_failed', 'leave_to_recovery'],
  owner_died: ['absent RUN_NOT_FOUND', 'failed end_failed', 'failed end_failed', 'ignore'],
  owner_replaced: ['absent RUN_NOT_FOUND', 'failed abandon', 'failed abandon', 'ignore'],
}
const inputs = Object.keys(cells) as InvocationInput[]

function step(state: LiveInvocationState, input: InvocationInput): string {
  const next = nextInvocationStep(state, input)
  return `${next.state} ${next.effect}`
}

describe('nextInvocationStep', () => {
  for (const [input, [absent, running, stopping, whenEnded]] of Object.entries(cells)) {
    test(`decides every cell of ${input}`, () => {
      const decide = (state: LiveInvocationState): string => step(state, input as InvocationInput)
      assert.deepEqual(live.map(decide), [absent, running, stopping])
      assert.deepEqual(
        ended.map(decide),
        ended.map((state) => `${state} ${whenEnded}`),
      )
    })
  }

  test('reaches every state and gives every terminal status its effect', () => {
    const reached = new Set<LiveInvocationState>(['absent'])
    for (const state of reached) for (const input of inputs) reached.add(nextInvocationStep(state, input).state)
    assert.deepEqual([...reached].sort(), [...states].sort())
  })

  test('ends an invocation exactly once on every way', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...inputs), { maxLength: 40 }), (sequence) => {
        let state: LiveInvocationState = 'absent'
        let opened = 0
        let endings = 0
        for (const input of sequence) {
          const before: LiveInvocationState = state
          const next = nextInvocationStep(before, input)
          state = next.state
          if (next.effect === 'open' && before === 'absent') opened++
          if (next.effect.startsWith('end_') || next.effect === 'abandon') {
            endings++
            if (next.effect !== 'abandon') assert.equal(next.effect, `end_${state}`)
          }
          const isEnded = (ended as readonly string[]).includes(state)
          assert.equal(opened, state === 'absent' ? 0 : 1)
          assert.equal(endings, isEnded ? 1 : 0)
          if ((ended as readonly string[]).includes(before)) assert.equal(state, before)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
