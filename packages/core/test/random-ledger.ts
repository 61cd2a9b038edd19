import fc from 'fast-check'
import type { InvocationSource } from '../src/runtime-event/content.ts'
import type { StoredRuntimeEvent } from '../src/runtime-event/runtime-event.ts'
import { call, ended, fact, ledgerOf, opened, openingContent, response, said, text, type Fact } from './ledger-of.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const anyName = fc.constantFrom(...names)
const anyCallId = fc.constantFrom('1', '2', '3')
const anyStep = fc.constantFrom(undefined, undefined, 's1', 's2')
const anySource: fc.Arbitrary<InvocationSource> = fc.oneof(
  fc.constant({ kind: 'fresh' as const }),
  anyName.map((supersedes) => ({ kind: 'retry' as const, supersedes })),
  anyName.map((of) => ({ kind: 'continuation' as const, of })),
)

/** What may happen to an invocation once it is open; texts get a name of their own in `anyLedger`. */
const anyHappening: fc.Arbitrary<(name: string) => Fact> = fc.oneof(
  { weight: 2, arbitrary: fc.constant((name: string) => said(name, '?')) },
  { weight: 4, arbitrary: anyStep.map((step) => (name: string) => text(name, '?', step)) },
  {
    weight: 2,
    arbitrary: fc.record({ step: anyStep, cut: fc.boolean(), signed: fc.boolean() }).map(
      ({ step, cut, signed }) =>
        (name: string) =>
          fact(
            name,
            {
              kind: 'thinking',
              text: '?',
              ...(cut && { interrupted: true }),
              ...(signed && { providerMetadata: { signature: 's' } }),
            },
            step,
          ),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(anyCallId, anyStep).map(
      ([id, step]) =>
        (name: string) =>
          call(name, id, step),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyCallId, anyStep).map(
      ([id, step]) =>
        (name: string) =>
          fact(name, { kind: 'function_call', toolCallId: id, name: 'search', args: {}, providerExecuted: true }, step),
    ),
  },
  { weight: 6, arbitrary: anyCallId.map((id) => (name: string) => response(name, id, '?')) },
  { weight: 1, arbitrary: fc.constant((name: string) => text(name, ' \n')) },
  { weight: 1, arbitrary: fc.constant((name: string) => fact(name, { kind: 'of_tomorrow', text: 'x' })) },
  { weight: 1, arbitrary: fc.constant((name: string) => ({ ...text(name, '?'), modelVisibility: 'hidden' as const })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('completed' as const, 'failed' as const, 'aborted' as const, 'waiting' as const)
      .map((status) => (name: string) => ended(name, status)),
  },
)

/**
 * Histories of a few invocations that run into each other: attempts, retries, continuations and sub-agents, ended in
 * every way or not at all, with repeats, orphans, results out of order and stragglers. No two texts are the same.
 */
export const anyLedger: fc.Arbitrary<StoredRuntimeEvent[]> = fc
  .array(fc.tuple(anyName, anySource, fc.integer({ min: 0, max: 9 }), anyHappening), { maxLength: 40 })
  .map((happenings) => {
    const facts: Fact[] = []
    const open = new Set<string>()
    for (const [name, source, kind, happening] of happenings) {
      if (!open.has(name)) {
        open.add(name)
        const lineage = kind === 0 ? { lineage: { parentInvocationId: 'parent' } } : {}
        facts.push(opened(name, source, { content: { ...openingContent(source), ...lineage } }))
        if (kind < 8) facts.push(said(name, `text-${facts.length}`))
      }
      facts.push(named(happening(name), `text-${facts.length}`))
    }
    return ledgerOf(facts.map((fact, index) => ({ ...fact, ts: (index * 7) % 5 })))
  })

function named(fact: Fact, name: string): Fact {
  return JSON.parse(JSON.stringify(fact).replace('"?"', JSON.stringify(name))) as Fact
}
