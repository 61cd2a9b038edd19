import fc from 'fast-check'
import type { RequestWait, TerminalStatus } from '@daybook/core/canonical-runtime-event'

/** What happens to the requests of a session. Runs and requests are counted from the newest on. */
export type RequestStep = { readonly now: number } & (
  | {
      readonly kind: 'open'
      readonly how: 'fresh' | 'retry' | 'continuation' | 'sub-agent' | 'foreign'
      /** Come with the opening. */
      readonly answers: readonly Answer[]
      readonly end: TerminalStatus | undefined
    }
  | {
      readonly kind: 'ask'
      readonly run: number
      readonly question: boolean
      /** Under an id that was used before. */
      readonly again: boolean
      readonly wait: RequestWait
      readonly expiresInMs: number | undefined
    }
  | { readonly kind: 'answer'; readonly run: number; readonly byOwner: boolean; readonly answers: readonly Answer[] }
  | { readonly kind: 'ack'; readonly run: number; readonly request: number }
  | { readonly kind: 'end'; readonly run: number; readonly status: TerminalStatus; readonly foreign: boolean }
  | { readonly kind: 'remove' }
)

export interface Answer {
  readonly request: number
  /** `fitting`: approved, answered, or expired, whichever can be said of it. */
  readonly outcome: 'fitting' | 'denied' | 'expired' | 'answered'
  /** To something that was not shown. */
  readonly changed: boolean
}

const now = fc.integer({ min: 0, max: 20 })
const seldom = fc.nat(7).map((number) => number === 7)
const newest = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) })
const status = fc.constantFrom<TerminalStatus>('waiting', 'waiting', 'waiting', 'completed', 'failed', 'aborted')
const answers = fc.array(
  fc.record({
    request: newest,
    outcome: fc.constantFrom('fitting', 'fitting', 'fitting', 'denied', 'expired', 'answered'),
    changed: seldom,
  }),
  { minLength: 1, maxLength: 2 },
)

const open: fc.Arbitrary<RequestStep> = fc.record({
  now,
  kind: fc.constant('open'),
  how: fc.constantFrom('fresh', 'fresh', 'retry', 'continuation', 'continuation', 'sub-agent', 'foreign'),
  answers: fc.oneof(fc.constant([]), answers),
  end: fc.option(status, { nil: undefined }),
})
const ask: fc.Arbitrary<RequestStep> = fc.record({
  now,
  kind: fc.constant('ask'),
  run: newest,
  question: fc.boolean(),
  again: seldom,
  wait: fc.constantFrom('live', 'later'),
  expiresInMs: fc.option(fc.nat(20), { nil: undefined }),
})
const answer: fc.Arbitrary<RequestStep> = fc.record({
  now,
  kind: fc.constant('answer'),
  run: newest,
  byOwner: fc.boolean(),
  answers,
})
const ack: fc.Arbitrary<RequestStep> = fc.record({ now, kind: fc.constant('ack'), run: newest, request: newest })
const end: fc.Arbitrary<RequestStep> = fc.record({
  now,
  kind: fc.constant('end'),
  run: newest,
  status,
  foreign: seldom,
})
const remove: fc.Arbitrary<RequestStep> = fc.record({ now, kind: fc.constant('remove') })

/** A conversation has begun, so that most of what follows happens to something. */
export const requestHistory: fc.Arbitrary<readonly RequestStep[]> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: ask },
      { weight: 3, arbitrary: answer },
      { weight: 4, arbitrary: open },
      { weight: 3, arbitrary: end },
      { weight: 1, arbitrary: ack },
      { weight: 1, arbitrary: remove },
    ),
    { minLength: 4, maxLength: 16 },
  )
  .map((steps) => [{ kind: 'open', now: 0, how: 'fresh', answers: [], end: undefined }, ...steps])
