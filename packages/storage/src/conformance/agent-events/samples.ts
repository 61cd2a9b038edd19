import type { AgentEvent, AgentEventHeader, AgentEventStore, NewAgentEventRow } from '@daybook/core'

export function headerOf(runId: string, changes: Partial<AgentEventHeader> = {}): AgentEventHeader {
  return { runId, threadId: 't', tenant: null, gates: [], userId: null, operatorId: null, ...changes }
}

/** A log with a step for each row. */
export async function openLog(
  store: AgentEventStore,
  runId: string,
  rows: number = 0,
  changes: Partial<AgentEventHeader> = {},
): Promise<void> {
  await store.writeHeader(headerOf(runId, changes))
  for (let seq = 1; seq <= rows; seq += 1) await store.append(runId, stepRow(seq))
}

export function stepRow(seq: number, changes: Partial<NewAgentEventRow> = {}): NewAgentEventRow {
  return { seq, event: step(`step ${seq}`), ...changes }
}

export function step(stepName: string): AgentEvent {
  return { type: 'STEP_STARTED', stepName }
}

/** The seqs that a log has. */
export async function seqsOf(store: AgentEventStore, runId: string): Promise<number[] | undefined> {
  const log = await store.read(runId)
  return log?.rows.map(({ seq }) => seq)
}
