import fc from 'fast-check'

/** What a backend does with a call: runs it at once, asks for leave or for an answer first, or never comes back to it. */
export type CallPlan = 'runs' | 'asks' | 'asks soon' | 'questions' | 'is left open'
/** What it does in one invocation once it has run what was approved. */
export interface SendPlan {
  readonly calls: readonly CallPlan[]
  /** `parks`: in the middle, until it is released or stopped. */
  readonly end: 'ends' | 'throws' | 'parks'
}

export type Command =
  | { readonly do: 'send'; readonly plan: SendPlan }
  | { readonly do: 'retry' | 'continue'; readonly plan: SendPlan }
  | {
      readonly do: 'answer'
      readonly which: number
      /** `approve` answers a question. */
      readonly how: 'approve' | 'change' | 'deny' | 'other kind' | 'other digest'
      readonly all: boolean
      readonly record: boolean
      readonly plan: SendPlan
    }
  | { readonly do: 'stop' | 'recover' | 'release' | 'expire' | 'update' }
  | { readonly do: 'branch'; readonly which: number; readonly side: 'after' | 'before' }
  | { readonly do: 'visit'; readonly which: number }
  | { readonly do: 'die' }

/** One thing that happens, from which process, and when this process dies of it. */
export interface Step {
  readonly command: Command
  /** By a process that has no backends. */
  readonly elsewhere: boolean
  /** It dies at this write; undefined: it survives. */
  readonly diesAt: number | undefined
  readonly keepsLast: boolean
}

export interface Conversation {
  /** What its first turn does. */
  readonly first: SendPlan
  readonly answers: 'later' | 'live'
  readonly resume: 'attach' | 'replay' | 'rerun' | undefined
  readonly steps: readonly Step[]
}

const call = fc.constantFrom<CallPlan>('runs', 'asks', 'asks', 'asks soon', 'questions', 'is left open')
const plan: fc.Arbitrary<SendPlan> = fc.record({
  calls: fc.array(call, { maxLength: 3, size: 'max' }),
  end: fc.constantFrom<SendPlan['end']>('ends', 'ends', 'ends', 'ends', 'ends', 'throws', 'parks'),
})
const which = fc.nat({ max: 7 })
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), plan }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which,
      how: fc.constantFrom('approve' as const, 'approve', 'change', 'deny', 'other kind', 'other digest'),
      all: fc.integer({ min: 0, max: 2 }).map((one) => one === 0),
      record: fc.integer({ min: 0, max: 2 }).map((one) => one === 0),
      plan,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('retry' as const, 'continue', 'continue'), plan }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'recover', 'release', 'expire', 'update') }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'die' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('branch' as const),
      which,
      side: fc.constantFrom('after' as const, 'before'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('visit' as const), which }) },
)
const step: fc.Arbitrary<Step> = fc.record({
  command,
  elsewhere: fc.integer({ max: 3, min: 0 }).map((one) => one === 0),
  diesAt: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat({ max: 6 }) }),
  keepsLast: fc.boolean(),
})

export function conversation(maxSteps: number): fc.Arbitrary<Conversation> {
  const each = fc.record({
    first: plan,
    answers: fc.constantFrom('later' as const, 'later', 'live'),
    resume: fc.constantFrom('attach' as const, 'replay', 'rerun', undefined),
    steps: fc.array(step, { minLength: 1, maxLength: maxSteps, size: 'max' }),
  })
  // What is small is not what is telling here.
  return fc.noBias(each)
}
