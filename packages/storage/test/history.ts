import type { TerminalStatus } from '@daybook/core/canonical-runtime-event'
import fc from 'fast-check'

/** An event that is to be appended; with a status it ends its invocation. */
export interface Fact {
  readonly id: number
  readonly text: string
  readonly ts: number
  /** `none`: it ends its invocation by `endInvocation` alone. */
  readonly status?: TerminalStatus | 'none'
}

/** What happens to a storage: calls of its users, and rows of a foreign writer. Ids are indexes of small pools. */
export type Step = {
  /** What the storage's clock says. */
  readonly now: number
  /** Whether all calls before are awaited first. */
  readonly wait: boolean
} & (
  | {
      readonly kind: 'open'
      readonly session: number
      readonly invocation: number
      readonly turn: number
      readonly ts: number
      readonly exclusive: boolean
      readonly retry: boolean
    }
  | { readonly kind: 'append'; readonly run: number; readonly events: readonly Fact[]; readonly stale: boolean }
  | { readonly kind: 'claim'; readonly run: number; readonly stale: boolean }
  | { readonly kind: 'foreign'; readonly run: number; readonly fact: Fact }
)

/** Few times, so that many are equal. Clocks jump, and those of the storage and of producers have nothing in common. */
const time = fc.constantFrom(-7, 0, 0, 1, 1, 2, 9_000_000_000_000)
const index = fc.nat(7)
const seldom = fc.nat(7).map((number) => number === 7)
const always = { now: time, wait: fc.boolean() }

/** The same id mostly is the same event, so that many appends are repeats and some are conflicts. */
const text: fc.Arbitrary<Fact> = fc
  .record({ id: fc.nat(5), other: seldom, ts: time })
  .map(({ id, other, ts }) => (other ? { id, text: 'y', ts } : { id, text: 'x', ts: id }))
const end: fc.Arbitrary<Fact> = fc.record({
  id: fc.integer({ min: 5, max: 7 }),
  text: fc.constantFrom('x', 'y'),
  ts: time,
  status: fc.constantFrom('completed', 'failed', 'aborted', 'cancelled', 'waiting', 'none'),
})

const open: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('open'),
  session: fc.nat(1),
  invocation: index,
  turn: fc.nat(3),
  ts: time,
  exclusive: fc.boolean(),
  retry: fc.boolean(),
  ...always,
})

const append: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('append'),
  run: index,
  events: fc
    .tuple(fc.array(text, { maxLength: 3 }), fc.option(end, { nil: undefined, freq: 2 }))
    .map(([texts, last]) => (last === undefined ? texts : [...texts, last]))
    .filter((events) => events.length > 0),
  stale: seldom,
  ...always,
})

const claim: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('claim'), run: index, stale: seldom, ...always })

const foreign: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('foreign'),
  run: index,
  fact: fc.oneof(text, end),
  ...always,
})

export const history: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: open },
    { weight: 8, arbitrary: append },
    { weight: 1, arbitrary: claim },
    { weight: 3, arbitrary: foreign },
  ),
  { minLength: 5, maxLength: 16 },
)

/** What random histories meet rarely: invocations that were opened at the same time, under ids of each kind. */
export const openedAtOnce: readonly Step[] = Array.from({ length: 8 }, (_, index) => ({
  kind: 'open',
  session: 0,
  invocation: index,
  turn: index,
  ts: 0,
  exclusive: false,
  retry: false,
  now: 0,
  wait: true,
}))
