import { type AgentEventHeader, agentMessageId, type OpenedStorage, type RunRecord } from '@daybook/core'
import { AgentEventLog } from '@daybook/runtime/agent-event-log'
import { header, started, text, textStart } from './agent-event-samples.ts'
import { openManager } from './open-manager.ts'
import type { Script } from './scripted-backend.ts'

/** A turn that has ended while its log shows no more than the beginning of a text, or nothing. */
export async function endedRun(
  storage: OpenedStorage,
  script: Script,
  { isStarted = true, ...more }: Partial<AgentEventHeader> & { readonly isStarted?: boolean } = {},
): Promise<RunRecord> {
  const { agentEvents, ...ledger } = storage
  const { manager, session } = await openManager(ledger as OpenedStorage, script)
  const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
  await finished
  await manager.close()
  await agentEvents.writeHeader(header(runId, { threadId: session.id, openedAt: 1, ...more }))
  const { protocolVersion } = more
  const start = { ...started, threadId: session.id, runId, ...(protocolVersion && { protocolVersion }) }
  const messageId = agentMessageId(runId, 'text', 'm')
  const events = isStarted ? [start, textStart(messageId), text('hel', messageId)] : []
  for (const [index, event] of events.entries()) await agentEvents.append(runId, { seq: index + 1, event })
  return (await storage.runs.readRun(runId))!
}

/** What ends the logs of the storage. */
export function closing({ runs, events, agentEvents: store }: OpenedStorage) {
  return {
    runStore: runs,
    runtimeEventStore: events,
    agentEvents: { store, log: new AgentEventLog(store) },
    now: () => 9000,
  }
}
