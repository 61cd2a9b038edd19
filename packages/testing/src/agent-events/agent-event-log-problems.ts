import {
  agentRunEnd,
  type AgentEvent,
  type AgentEventHeader,
  type AgentEventRunCursor,
  type AgentEventStore,
} from '@daybook/core'
import { agentEventProblems } from './agent-event-problems.ts'

/** What is read of a store. */
export type AgentEventLogs = Pick<AgentEventStore, 'listRuns' | 'readPage'>

export interface AgentEventLogProblemsOptions {
  /** By run id, why a log is wrong on purpose. One that is not is a problem, too. Default none. */
  readonly except?: Readonly<Record<string, string>>
}

/**
 * What is wrong with the delivery logs of a store that nobody writes to; empty where all is well. Looks at every log, those
 * of runs that go on too: its rows are numbered from 1 without a hole, AG-UI's clients take them, and the log is finished
 * where its last row ends the run, and only there. The clients are loaded once there is a log.
 */
export async function agentEventLogProblems(
  store: AgentEventLogs,
  { except = {} }: AgentEventLogProblemsOptions = {},
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const finished of [true, false]) {
    for (let after: AgentEventRunCursor | null | undefined; after !== null;) {
      const page = await store.listRuns({ finished, until: Number.MAX_SAFE_INTEGER, ...(after && { after }) })
      for (const header of page.items) {
        const found = await problemsOf(store, header)
        const reason = except[header.runId]
        const told = reason === undefined ? found : found.length > 0 ? [] : [`nothing is wrong, though ${reason}`]
        problems.push(...told.map((problem) => `the log of run "${header.runId}": ${problem}`))
      }
      after = page.next
    }
  }
  return problems
}

async function problemsOf(store: AgentEventLogs, header: AgentEventHeader): Promise<readonly string[]> {
  const { runId, finishedAt, protocolVersion } = header
  const events: AgentEvent[] = []
  const problems: string[] = []
  for (let after: number | null = 0; after !== null;) {
    const page = await store.readPage(runId, { after, limit: 1000 })
    for (const { seq, event } of page.items) {
      events.push(event)
      if (seq !== events.length) problems.push(`row ${events.length} has seq ${seq}`)
    }
    after = page.next
  }
  const last = events.at(-1)
  const hasEnd = last !== undefined && agentRunEnd(last) !== undefined
  if (hasEnd && finishedAt === undefined) problems.push('it is open after the end of the run')
  if (!hasEnd && finishedAt !== undefined) problems.push('it is finished without an end of the run')
  return [...problems, ...(await agentEventProblems(events, protocolVersion))]
}
