import fc from 'fast-check'

/** A step of a random life of some sessions; a session is named by a small number, whether or not there is one. */
export type SessionStep =
  | ({
      readonly does: 'create'
      readonly session: number
      readonly tenant: number
      readonly parent: number | null
    } & Texts)
  | ({ readonly does: 'update'; readonly session: number; readonly archived: boolean; readonly behind: number } & Texts)
  | { readonly does: 'say'; readonly session: number; readonly text: string }
  | { readonly does: 'remove'; readonly session: number; readonly branches: boolean }
  | { readonly does: 'search'; readonly tenant: number; readonly text: string; readonly limit: number }
  | {
      readonly does: 'list'
      readonly tenant: number
      readonly archived: boolean | 'any'
      readonly label: string | null
      readonly parent: number | null
    }

interface Texts {
  readonly title: string | null
  readonly labels: readonly string[]
}

const session = fc.nat({ max: 7 })
const tenant = fc.nat({ max: 1 })
const text = fc
  .array(fc.constantFrom('red', 'Grün', 'grunt', 'RE', '赤い', 'r2', '-'), { maxLength: 3 })
  .map((words) => words.join(' '))
const label = fc.constantFrom('x', 'y')
const texts = {
  title: fc.option(text),
  labels: fc.uniqueArray(label),
}

export const sessionHistory: fc.Arbitrary<readonly SessionStep[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('create' as const),
        session,
        tenant,
        parent: fc.option(session),
        ...texts,
      }),
    },
    { weight: 4, arbitrary: fc.record({ does: fc.constant('say' as const), session, text }) },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('update' as const),
        session,
        archived: fc.boolean(),
        behind: fc.constantFrom(0, 0, 1),
        ...texts,
      }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), session, branches: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('search' as const),
        tenant,
        text,
        limit: fc.integer({ min: 1, max: 4 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('list' as const),
        tenant,
        archived: fc.constantFrom(true, false, 'any' as const),
        label: fc.option(label),
        parent: fc.option(session),
      }),
    },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
)
