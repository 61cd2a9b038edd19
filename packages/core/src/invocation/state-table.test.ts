import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nextInvocationStep, type InvocationInput, type LiveInvocationState } from './state-table.ts'

const live = ['absent', 'running', 'stopping', 'abandoned'] as const
const ended = ['waiting', 'completed', 'failed', 'aborted', 'cancelled'] as const
const states: readonly LiveInvocationState[] = [...live, ...ended]

/** What happens in (absent, running, stopping, any ended state): effect, and the state that follows where it is another. */
const cells: Record<InvocationInput, readonly [string, string, string, string]> = {
  send: ['open running', 'SESSION_BUSY', 'SESSION_BUSY', 'open'],
  backend_event: ['ignore', 'record', 'record', 'ignore'],
  backend_completed: ['ignore', 'end_completed completed', 'end_aborted aborted', 'ignore'],
  backend_failed: ['ignore', 'end_failed failed', 'end_aborted aborted', 'ignore'],
  backend_aborted: ['ignore', 'end_aborted aborted', 'end_aborted aborted', 'ignore'],
  backend_cancelled: ['ignore', 'end_cancelled cancelled', 'end_aborted aborted', 'ignore'],
  backend_waiting: ['ignore', 'end_waiting waiting', 'end_aborted aborted', 'ignore'],
  backend_ended_without_terminal: ['ignore', 'end_failed failed', 'end_aborted aborted', 'ignore'],
  stop_requested: ['ignore', 'signal_backend stopping', 'ignore', 'ignore'],
  stop_timed_out: ['ignore', 'ignore', 'end_aborted aborted', 'ignore'],
  consumer_left: ['ignore', 'signal_backend stopping', 'ignore', 'ignore'],
  manager_closed: ['ignore', 'signal_backend stopping', 'ignore', 'ignore'],
  store_failed: ['ignore', 'end_failed failed', 'end_failed failed', 'leave_to_recovery abandoned'],
  owner_died: ['ignore', 'end_failed failed', 'end_failed failed', 'ignore'],
  owner_replaced: ['ignore', 'abandon abandoned', 'abandon abandoned', 'abandon abandoned'],
}
const inputs = Object.keys(cells) as InvocationInput[]

function step(state: LiveInvocationState, input: InvocationInput): string {
  const { state: next, effect } = nextInvocationStep(state, input)
  return next === state ? effect : `${effect} ${next}`
}

describe('nextInvocationStep', () => {
  for (const [input, [absent, running, stopping, whenEnded]] of Object.entries(cells)) {
    test(`decides every cell of ${input}`, () => {
      const decide = (state: LiveInvocationState): string => step(state, input as InvocationInput)
      const whenAbandoned = input === 'send' ? 'SESSION_BUSY' : 'ignore'
      assert.deepEqual(live.map(decide), [absent, running, stopping, whenAbandoned])
      assert.deepEqual(
        ended.map(decide),
        ended.map(() => whenEnded),
      )
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
