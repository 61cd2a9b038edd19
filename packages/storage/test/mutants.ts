/** One wrong edit of the sources, which some property must notice. */
export interface Mutant {
  readonly driver: 'memory' | 'sqlite'
  /** In `packages/`. `from` stands in it once. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export const mutants = {
  'members in the order that they were given in': {
    driver: 'memory',
    file: 'core/src/json/canonical-json.ts',
    from: 'if (!isSorted(names)) names.sort()',
    to: '',
  },
  'a session ordered by committed_at': {
    driver: 'sqlite',
    file: 'storage/src/sqlite/events/read-events.ts',
    from: 'ORDER BY e.session_seq LIMIT',
    to: 'ORDER BY e.committed_at, e.session_seq LIMIT',
  },
  'event ids that are unique everywhere': {
    driver: 'sqlite',
    file: 'storage/src/sqlite/events/append.ts',
    from: 'WHERE invocation_id = ? AND event_id = ?',
    to: "WHERE ? <> '' AND event_id = ?",
  },
  'a global key of event ids': {
    driver: 'sqlite',
    file: 'storage/src/sqlite/migrations/1-first-schema.ts',
    from: 'runtime_events (invocation_id, event_id)',
    to: 'runtime_events (event_id)',
  },
  'no seal': {
    driver: 'sqlite',
    file: 'core/src/ledger/plan-append.ts',
    from: 'if (head.terminalSeq !== null) throw new RunSealedError(head.runId)',
    to: '',
  },
  'the terminal event chosen by time in the index': {
    driver: 'sqlite',
    file: 'storage/src/sqlite/events/list-invocations.ts',
    from: 'ORDER BY e.event_seq LIMIT 1',
    to: 'ORDER BY e.committed_at, e.event_seq LIMIT 1',
  },
  'the terminal event chosen by time in the rebuild': {
    driver: 'memory',
    file: 'core/src/invocation/invocation-span.ts',
    from: 'eventSeq < (terminals.get(invocationId)?.eventSeq ?? Infinity)',
    to: 'event.ts < (terminals.get(invocationId)?.event.ts ?? Infinity)',
  },
  'ids compared by locale': {
    driver: 'sqlite',
    file: 'core/src/invocation/invocation-order.ts',
    from: 'compareCodePoints(a.invocationId, b.invocationId)',
    to: 'a.invocationId.localeCompare(b.invocationId)',
  },
  'ids compared by UTF-16 unit': {
    driver: 'memory',
    file: 'core/src/invocation/invocation-order.ts',
    from: 'compareCodePoints(a.invocationId, b.invocationId)',
    to: '(a.invocationId < b.invocationId ? -1 : 1)',
  },
  'an answer before the commit': {
    driver: 'sqlite',
    file: 'storage/src/sqlite/transactions.ts',
    from: 'commit.run()',
    to: 'setImmediate(() => commit.run())',
  },
  'exclusive runs side by side': {
    driver: 'memory',
    file: 'core/src/ledger/plan-run.ts',
    from: 'if (active !== undefined) throw',
    to: 'if (active === run) throw',
  },
  'a terminal event that vouches for nothing': {
    driver: 'memory',
    file: 'core/src/ledger/plan-append.ts',
    from: 'stampTerminal(given, chain)',
    to: "stampTerminal(given, '0'.repeat(64))",
  },
} as const satisfies Readonly<Record<string, Mutant>>

export type MutantName = keyof typeof mutants
