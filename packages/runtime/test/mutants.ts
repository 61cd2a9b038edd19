/** One wrong edit of the sources, which a test must notice. */
export interface Mutant {
  /** In `packages/runtime/src`. `from` stands in it once. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** The file of the test, in `packages/runtime`. */
  readonly noticedBy: string
}

export const mutants: Readonly<Record<string, Mutant>> = {
  'an event told before it is committed': {
    file: 'turn/record-until-end.ts',
    from: '(await ledger.record(next.event, next.fact))',
    to: '(ledger.record(next.event, next.fact).catch(() => {}), true)',
    noticedBy: 'test/commit-before-telling.test.ts',
  },
  'an end told before it is committed': {
    file: 'turn/end-turn.ts',
    from: 'await ledger.append(batch.facts, batch.events)',
    to: 'ledger.append(batch.facts, batch.events).catch(() => {})',
    noticedBy: 'test/commit-before-telling.test.ts',
  },
  'a row told before its fact is committed': {
    file: 'ledger/turn-log.ts',
    from: 'await log.recordWith(runId, agentEvents, now(), write, options)',
    to: '(await log.recordEach(runId, agentEvents, now(), options), await write([]))',
    noticedBy: 'test/commit-before-telling.test.ts',
  },
  'a log that stays open though its run has ended': {
    file: 'recovery/close-logs.ts',
    from: 'run.finishedAt !== null) await closeLog(run, context)',
    to: 'false) await closeLog(run, context)',
    noticedBy: 'src/recovery/close-logs.test.ts',
  },
  'a repeated event told again': {
    file: 'ledger/turn-ledger.ts',
    from: 'if (!isNew) return false',
    to: '',
    noticedBy: 'test/commit-before-telling.test.ts',
  },
  'a busy storage is not asked again': {
    file: 'ledger/write.ts',
    from: 'const maxAttempts = 3',
    to: 'const maxAttempts = 1',
    noticedBy: 'test/commit-before-telling.test.ts',
  },
  'a refused terminal without another in its place': {
    file: 'turn/end-turn.ts',
    from: "if (faultOf(error) !== 'event') throw error",
    to: 'throw error',
    noticedBy: 'test/commit-before-telling.test.ts',
  },
  'calls left open at the end': {
    file: 'ledger/closing-batch.ts',
    from: 'callOutcome: ',
    to: 'outcome: ',
    noticedBy: 'test/commit-before-telling.test.ts',
  },
  'a failed write taken for one that wrote nothing': {
    file: 'turn/end-turn.ts',
    from: 'await ledger.readBack()',
    to: '{}',
    noticedBy: 'src/turn/store-failures.test.ts',
  },
  'a run left unfinished and forgotten': {
    file: 'turn/end-turn.ts',
    from: 'context.recovery.leave(sessionId, runId)',
    to: '',
    noticedBy: 'src/turn/store-failures.test.ts',
  },
  'a backend that is waited for without end': {
    file: 'turn/live-turn.ts',
    from: 'this.#onCutShort?.(this.#cutShort)',
    to: '',
    noticedBy: 'test/commit-before-telling.test.ts',
  },
  'many runs at once': {
    file: 'turn/open-invocation.ts',
    from: 'exclusive: true',
    to: 'exclusive: false',
    noticedBy: 'test/one-active-run.test.ts',
  },
  'a digest of nothing': {
    file: 'turn/turn-message.ts',
    from: 'encodeCanonicalJson({ text })',
    to: 'encodeCanonicalJson({})',
    noticedBy: 'test/one-active-run.test.ts',
  },
  'a living owner taken for dead': {
    file: 'owner/process-identity.ts',
    from: 'if (found === undefined) return true',
    to: 'return true',
    noticedBy: 'test/one-active-run.test.ts',
  },
  'a stop that is another ending': {
    file: 'turn/end-turn.ts',
    from: "effect === 'end_aborted' && source !== undefined",
    to: 'false',
    noticedBy: 'test/one-active-run.test.ts',
  },
  'a warning at each look for requests to stop': {
    file: 'turn/live-runs.ts',
    from: 'if (!this.#isDeaf) warn(',
    to: 'warn(',
    noticedBy: 'src/turn/unread-stops.test.ts',
  },
  'a second trouble with requests to stop that nobody hears of': {
    file: 'turn/live-runs.ts',
    from: 'this.#isDeaf = false',
    to: '',
    noticedBy: 'src/turn/unread-stops.test.ts',
  },
  'a turn that is kept when it is over': {
    file: 'turn/live-turns.ts',
    from: '() => this.#turns.delete(turn)',
    to: '() => {}',
    noticedBy: 'test/campaign/many-turns.ts',
  },
  'a recovery that is kept when it is over': {
    file: 'recovery/run-recovery.ts',
    from: '.finally(() => this.#ongoing.delete(runId))',
    to: '',
    noticedBy: 'test/campaign/many-turns.ts',
  },
}
