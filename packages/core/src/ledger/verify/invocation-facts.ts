import type { InvocationRecord } from '../../invocation/invocation-record.ts'
import { invocationState } from '../../invocation/invocation-state.ts'
import type { RunRecord } from '../../ports/agent-run-store.ts'
import type { InvocationHead } from '../plan-append.ts'

/** What the events of an invocation tell. */
export interface InvocationFacts {
  readonly sessionId: string
  readonly invocationId: string
  /** As the first row has it; empty where there is none. */
  readonly runId: string
  readonly lastSeq: number
  /** `eventSeq` of the first terminal event. */
  readonly terminalSeq: number | null
  /** The chain up to `ledgerDigestSeq`, the last event that Daybook appended; 0 where it appended none. */
  readonly ledgerDigest: string
  readonly ledgerDigestSeq: number
  /** The invocation as it is rebuilt; undefined where its opening is missing or cannot be read. */
  readonly record: InvocationRecord | undefined
}

/** How a head differs from the events, in words. */
export function headDifferences(facts: InvocationFacts, head: InvocationHead | undefined): string[] {
  if (head === undefined) return ['is missing']
  return differences([
    ['session', head.sessionId, facts.sessionId],
    ['run', head.runId, facts.runId],
    ['turn', head.turnId, facts.record?.turnId ?? head.turnId],
    ['last event', head.head, facts.lastSeq],
    ['terminal event', head.terminalSeq, facts.terminalSeq],
    ['last event of the chain', head.ledgerDigestSeq, facts.ledgerDigestSeq],
    ['chain', head.ledgerDigest, facts.ledgerDigest],
  ])
}

/** How a run differs from the events and from the head, in words. */
export function runDifferences(
  facts: InvocationFacts,
  head: InvocationHead | undefined,
  run: RunRecord | undefined,
): string[] {
  if (run === undefined) return facts.ledgerDigestSeq > 0 ? ['is missing'] : []
  const { record } = facts
  const erasedEnd = facts.terminalSeq !== null && record?.terminalEvent === undefined
  return differences([
    ['session', run.sessionId, facts.sessionId],
    ['invocation', run.invocationId, facts.invocationId],
    ['turn', run.turnId, record?.turnId ?? run.turnId],
    ['opened time', run.openedAt, record?.openedAt ?? run.openedAt],
    ['state', run.state, record === undefined || erasedEnd ? run.state : invocationState(record)],
    ['finished', run.finishedAt !== null, facts.terminalSeq !== null],
    ['epoch', run.epoch, head?.epoch ?? run.epoch],
  ])
}

function differences(fields: readonly (readonly [string, unknown, unknown])[]): string[] {
  return fields.flatMap(([field, stored, told]) =>
    stored === told ? [] : [`says ${field} ${String(stored)}; the events say ${String(told)}`],
  )
}
