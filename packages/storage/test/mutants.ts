/** A wrong edit of the sources, which a property must notice on this driver. */
export interface Mutant {
  readonly driver: 'memory' | 'sqlite'
  readonly edits: readonly Edit[]
}

/** `file` is in `packages/`; `from` stands in it once. */
type Edit = readonly [file: string, from: string, to: string]

export const mutants = {
  'members in the order that they were given in': {
    driver: 'memory',
    edits: [['core/src/json/canonical-json.ts', 'const isOrdered = isSorted(names)', 'const isOrdered = true']],
  },
  'a session ordered by committed_at': {
    driver: 'sqlite',
    edits: [
      [
        'storage/src/sqlite/events/read-events.ts',
        'ORDER BY e.session_seq LIMIT',
        'ORDER BY e.committed_at, e.session_seq LIMIT',
      ],
    ],
  },
  'event ids that are unique everywhere': {
    driver: 'sqlite',
    edits: [
      [
        'storage/src/sqlite/events/append.ts',
        'WHERE invocation_id = ? AND event_id = ?',
        "WHERE ? <> '' AND event_id = ?",
      ],
    ],
  },
  'a global key of event ids': {
    driver: 'sqlite',
    edits: [
      [
        'storage/src/sqlite/migrations/1-first-schema.ts',
        'runtime_events (invocation_id, event_id)',
        'runtime_events (event_id)',
      ],
      ['storage/src/sqlite/events/write-rows.ts', 'ON CONFLICT (invocation_id, event_id)', 'ON CONFLICT (event_id)'],
    ],
  },
  'no seal': {
    driver: 'sqlite',
    edits: [
      ['core/src/ledger/plan-append.ts', 'if (head.terminalSeq !== null) throw new RunSealedError(head.runId)', ''],
    ],
  },
  'the terminal event chosen by time in the index': {
    driver: 'sqlite',
    edits: [
      [
        'storage/src/sqlite/events/list-invocations.ts',
        'ORDER BY e.event_seq LIMIT 1',
        'ORDER BY e.committed_at, e.event_seq LIMIT 1',
      ],
    ],
  },
  'the terminal event chosen by time in the rebuild': {
    driver: 'memory',
    edits: [
      [
        'core/src/invocation/invocation-span.ts',
        'eventSeq < (terminals.get(invocationId)?.eventSeq ?? Infinity)',
        'event.ts < (terminals.get(invocationId)?.event.ts ?? Infinity)',
      ],
    ],
  },
  'ids compared by locale': {
    driver: 'sqlite',
    edits: [
      [
        'core/src/invocation/invocation-order.ts',
        'compareCodePoints(a.invocationId, b.invocationId)',
        'a.invocationId.localeCompare(b.invocationId)',
      ],
    ],
  },
  'ids compared by UTF-16 unit': {
    driver: 'memory',
    edits: [
      [
        'core/src/invocation/invocation-order.ts',
        'compareCodePoints(a.invocationId, b.invocationId)',
        '(a.invocationId < b.invocationId ? -1 : 1)',
      ],
    ],
  },
  'an answer before the commit': {
    driver: 'sqlite',
    edits: [['storage/src/sqlite/transactions.ts', 'commit.run()', 'setImmediate(() => commit.run())']],
  },
  'exclusive runs side by side': {
    driver: 'memory',
    edits: [['core/src/ledger/plan-run.ts', 'if (active !== undefined) throw', 'if (active === run) throw']],
  },
  'a terminal event that vouches for nothing': {
    driver: 'memory',
    edits: [['core/src/ledger/plan-append.ts', 'stampTerminal(given, chain)', "stampTerminal(given, '0'.repeat(64))"]],
  },
} as const satisfies Readonly<Record<string, Mutant>>

export type MutantName = keyof typeof mutants
