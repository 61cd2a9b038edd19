/** One wrong edit of the sources, which a property must notice. */
export interface Mutant {
  /** In `packages/runtime/src`. `from` stands in it once. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** The property's file, in `packages/runtime/test`. */
  readonly noticedBy: 'commit-before-telling.test.ts' | 'one-active-run.test.ts'
}

export const mutants: Readonly<Record<string, Mutant>> = {
  'an event told before it is committed': {
    file: 'turn/drive-turn.ts',
    from: '(await ledger.record(next.event, next.fact))',
    to: '(ledger.record(next.event, next.fact).catch(() => {}), true)',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'an end told before it is committed': {
    file: 'turn/end-turn.ts',
    from: 'await ledger.append(batch.facts)',
    to: 'ledger.append(batch.facts).catch(() => {})',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'a repeated event told again': {
    file: 'ledger/turn-ledger.ts',
    from: 'if (this.#recorded.has(fact.id)) return false',
    to: '',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'a busy storage is not asked again': {
    file: 'ledger/write.ts',
    from: 'const maxAttempts = 3',
    to: 'const maxAttempts = 1',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'a refused terminal without another in its place': {
    file: 'turn/end-turn.ts',
    from: "if (faultOf(error) !== 'event') throw error",
    to: 'throw error',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'calls left open at the end': {
    file: 'ledger/closing-batch.ts',
    from: 'callOutcome: ',
    to: 'outcome: ',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'a failed write taken for one that wrote nothing': {
    file: 'turn/end-turn.ts',
    from: 'await ledger.readBack()',
    to: '{}',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'a run left unfinished and forgotten': {
    file: 'turn/end-turn.ts',
    from: 'context.recovery.leave(sessionId, runId)',
    to: '',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'a backend that is waited for without end': {
    file: 'turn/live-turn.ts',
    from: 'this.#onCutShort?.(this.#cutShort)',
    to: '',
    noticedBy: 'commit-before-telling.test.ts',
  },
  'many runs at once': {
    file: 'turn/open-turn.ts',
    from: 'exclusive: true',
    to: 'exclusive: false',
    noticedBy: 'one-active-run.test.ts',
  },
  'a digest of nothing': {
    file: 'turn/turn-message.ts',
    from: 'encodeCanonicalJson({ text })',
    to: 'encodeCanonicalJson({})',
    noticedBy: 'one-active-run.test.ts',
  },
  'a living owner taken for dead': {
    file: 'owner/process-identity.ts',
    from: 'if (found === undefined) return true',
    to: 'return true',
    noticedBy: 'one-active-run.test.ts',
  },
  'a stop that is another ending': {
    file: 'turn/end-turn.ts',
    from: "effect === 'end_aborted' && source !== undefined",
    to: 'false',
    noticedBy: 'one-active-run.test.ts',
  },
}
