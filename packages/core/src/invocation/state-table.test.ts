import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nextInvocationStep, type InvocationInput, type LiveInvocationState } from './state-table.ts'

const live = ['absent', 'running', 'stopping', 'abandoned'] as const
const ended = ['waiting', 'completed', 'failed', 'aborted', 'cancelled'] as const
const states: readonly LiveInvocationState[] = [...live, ...ended]

/** What happens in each state: effect, and the state that follows where it is another. `ended`: the ended states without a cell. */
const cells: Record<InvocationInput, Partial<Record<LiveInvocationState | 'ended', string>>> = {
  send: {
    absent: 'open running',
    running: 'SESSION_BUSY',
    stopping: 'SESSION_BUSY',
    abandoned: 'SESSION_BUSY',
    ended: 'open',
  },
  retry_requested: { running: 'SESSION_BUSY', stopping: 'SESSION_BUSY', abandoned: 'SESSION_BUSY', ended: 'open' },
  answered: {
    running: 'deliver',
    stopping: 'deliver',
    abandoned: 'deliver',
    waiting: 'open_continuation',
    ended: 'REQUEST_CLOSED',
  },
  continue_requested: {
    absent: 'NOTHING_TO_CONTINUE',
    running: 'SESSION_BUSY',
    stopping: 'SESSION_BUSY',
    abandoned: 'SESSION_BUSY',
    waiting: 'open_continuation',
    failed: 'open_continuation',
    aborted: 'open_continuation',
    ended: 'NOTHING_TO_CONTINUE',
  },
  backend_event: { running: 'record', stopping: 'record' },
  backend_completed: { running: 'end_completed completed', stopping: 'end_aborted aborted' },
  backend_failed: { running: 'end_failed failed', stopping: 'end_aborted aborted' },
  backend_aborted: { running: 'end_aborted aborted', stopping: 'end_aborted aborted' },
  backend_cancelled: { running: 'end_cancelled cancelled', stopping: 'end_aborted aborted' },
  backend_waiting: { running: 'end_waiting waiting', stopping: 'end_aborted aborted' },
  backend_ended_without_terminal: { running: 'end_failed failed', stopping: 'end_aborted aborted' },
  stop_requested: { running: 'signal_backend stopping', waiting: 'open_aborted' },
  stop_timed_out: { stopping: 'end_aborted aborted' },
  consumer_left: { running: 'signal_backend stopping' },
  manager_closed: { running: 'signal_backend stopping' },
  store_failed: {
    running: 'end_failed failed',
    stopping: 'end_failed failed',
    ended: 'leave_to_recovery abandoned',
  },
  owner_died: { running: 'end_failed failed', stopping: 'end_failed failed' },
  owner_replaced: { running: 'abandon abandoned', stopping: 'abandon abandoned', ended: 'abandon abandoned' },
}
const inputs = Object.keys(cells) as InvocationInput[]

function step(state: LiveInvocationState, input: InvocationInput): string {
  const { state: next, effect } = nextInvocationStep(state, input)
  return next === state ? effect : `${effect} ${next}`
}

describe('nextInvocationStep', () => {
  for (const [input, row] of Object.entries(cells)) {
    test(`decides every cell of ${input}`, () => {
      for (const state of states) {
        const expected = row[state] ?? (ended.some((other) => other === state) ? row.ended : undefined) ?? 'ignore'
        assert.equal(step(state, input as InvocationInput), expected, state)
      }
    })
  }

  for (const [when, inputs, outcome] of [
    [
      'before the first event',
      ['send', 'stop_requested', 'backend_ended_without_terminal'],
      'signal_backend end_aborted',
    ],
    [
      'during a tool',
      ['send', 'backend_event', 'stop_requested', 'backend_failed'],
      'record signal_backend end_aborted',
    ],
    ['of a backend that never ends', ['send', 'stop_requested', 'stop_timed_out'], 'signal_backend end_aborted'],
    ['twice', ['send', 'stop_requested', 'stop_requested', 'backend_completed'], 'signal_backend ignore end_aborted'],
    ['while it is ending', ['send', 'backend_completed', 'stop_requested'], 'end_completed ignore'],
    ['of a finished run', ['send', 'backend_failed', 'stop_requested'], 'end_failed ignore'],
    ['of a run whose owner is dead', ['send', 'stop_requested', 'owner_died'], 'signal_backend end_failed'],
    ['of a run that was taken over', ['send', 'stop_requested', 'owner_replaced'], 'signal_backend abandon'],
  ] as const) {
    test(`knows a stop ${when}`, () => {
      let state: LiveInvocationState = 'absent'
      const effects: string[] = []
      for (const input of inputs) {
        const next = nextInvocationStep(state, input)
        state = next.state
        effects.push(next.effect)
      }
      assert.equal(effects.slice(1).join(' '), outcome)
    })
  }

  test('reaches every state and gives every terminal status its effect', () => {
    const reached = new Set<LiveInvocationState>(['absent'])
    for (const state of reached) for (const input of inputs) reached.add(nextInvocationStep(state, input).state)
    assert.deepEqual([...reached].sort(), [...states].sort())
  })

  test('ends an invocation at most once on every way, and never says that one ended which was abandoned', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...inputs), { maxLength: 40 }), (sequence) => {
        let state: LiveInvocationState = 'absent'
        const effects: string[] = []
        for (const input of sequence) {
          const next = nextInvocationStep(state, input)
          if (state !== 'absent' && next.effect === 'open') continue
          state = next.state
          effects.push(next.effect)
          if (next.effect.startsWith('end_')) assert.equal(next.effect, `end_${state}`)
        }
        const counted = (...wanted: string[]) => effects.filter((effect) => wanted.includes(effect)).length
        const endings = effects.filter((effect) => effect.startsWith('end_')).length
        const isAbandoned = state === 'abandoned'
        assert.equal(counted('open'), state === 'absent' ? 0 : 1)
        assert.equal(counted('abandon', 'leave_to_recovery'), isAbandoned ? 1 : 0)
        assert.ok(endings <= 1)
        if (!isAbandoned) assert.equal(endings, (ended as readonly string[]).includes(state) ? 1 : 0)
      }),
      { numRuns: 2000 },
    )
  })
})
