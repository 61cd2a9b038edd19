import {
  type AgentEvent,
  type AgentEventStore,
  isMarker,
  type NewAgentEventRow,
  type ToldRun,
  trackAgentEvent,
  untoldRun,
} from '@daybook/core'
import { codeOf } from './write.ts'

/** What a run's delivery log holds. */
export interface StoredLog {
  readonly told: ToldRun
  readonly lastSeq: number
  /** No row is missing, as far as the log knows. */
  readonly isWhole: boolean
}

/** Reads a run's log from its first row to its last; undefined where there is none. */
export async function readStoredLog(store: AgentEventStore, runId: string): Promise<StoredLog | undefined> {
  const header = await store.readHeader(runId)
  if (header === undefined) return undefined
  const told = untoldRun(header)
  let [lastSeq, isWhole] = [0, true]
  for (let after: number | null = 0; after !== null;) {
    const page = await store.readPage(runId, { after, limit: 1000 })
    isWhole &&= page.floor <= after + 1
    for (const { seq, event } of page.items) {
      isWhole &&= !isMarker(event)
      trackAgentEvent(told, event)
      lastSeq = seq
    }
    after = page.next
  }
  return { told, lastSeq, isWhole }
}

/** The rows that end a log: these events after its last row, the last of which ends it at that time. */
export function endingRows(
  { lastSeq }: Pick<StoredLog, 'lastSeq'>,
  events: readonly AgentEvent[],
  finishedAt: number,
): NewAgentEventRow[] {
  return events.map((event, index) => ({
    seq: lastSeq + 1 + index,
    event,
    ...(index === events.length - 1 && { finishedAt }),
  }))
}

/** Somebody has written to the log since it was read, or removed it. */
export function isChangedLog(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'AGENT_EVENT_DUPLICATE_SEQ' || code === 'AGENT_EVENT_LOG_NOT_OPEN'
}
