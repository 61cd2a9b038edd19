import assert from 'node:assert/strict'
import { agentRunEnd, type OpenedStorage } from '@daybook/core'
import {
  type InvocationEnding,
  isKnownContent,
  isTerminalEvent,
  type RuntimeEvent,
} from '@daybook/core/canonical-runtime-event'
import { agentEventProblems } from '@daybook/testing'

/** The events of a session as short words, such as `text:hello` and `completed`. */
export async function factsOf(storage: OpenedStorage, sessionId: string): Promise<string[]> {
  const stored = await storage.events.readSessionRuntimeEvents(sessionId)
  return stored.map(({ event }) => wordOf(event))
}

/** An event as a short word. */
export function wordOf({ content, status, role }: RuntimeEvent): string {
  if (status !== undefined) return status
  if (!isKnownContent(content)) return 'fact'
  const { kind } = content
  switch (kind) {
    case 'text':
    case 'thinking':
      return `${role === 'user' ? 'user' : kind}:${content.text}${content.interrupted ? ':interrupted' : ''}`
    case 'function_call':
      return `${kind}:${content.toolCallId}`
    case 'function_response':
      return `${kind}:${content.outcome}`
    case 'error':
      return content.code === undefined ? kind : `${kind}:${content.code}`
    default:
      return kind
  }
}

/** How the newest invocation of the session ended. */
export async function endingOf(storage: OpenedStorage, sessionId: string): Promise<InvocationEnding | undefined> {
  const invocations = await storage.events.listSessionInvocations(sessionId)
  return invocations.at(-1)?.terminalEvent?.actions?.ending
}

/** Everything that must hold after a test: the ledger verifies, and each invocation has one terminal event, the last. */
export async function assertWhole(storage: OpenedStorage): Promise<void> {
  const report = await storage.events.verifyStore()
  assert.deepEqual([report.problems, report.notes], [[], []])
  const { items } = await storage.sessions.list({ scope: { tenant: null }, limit: 1000 })
  for (const { id } of items) {
    const last = new Map<string, RuntimeEvent[]>()
    for (const { event } of await storage.events.readSessionRuntimeEvents(id)) {
      last.set(event.invocationId, [...(last.get(event.invocationId) ?? []), event])
    }
    for (const [{ runId }] of last.values() as Iterable<[RuntimeEvent]>) await assertLogWhole(storage, runId)
    for (const events of last.values()) {
      assert.deepEqual(events.map(isTerminalEvent).indexOf(true), events.length - 1)
    }
  }
}

/** The log of a run that has ended is finished, and AG-UI's own clients take it. */
async function assertLogWhole({ agentEvents }: OpenedStorage, runId: string): Promise<void> {
  const log = await agentEvents.read(runId)
  if (log === undefined) return
  const events = log.rows.map(({ event }) => event)
  assert.deepEqual(await agentEventProblems(events, log.header.protocolVersion), [])
  assert.ok(
    log.header.finishedAt !== undefined && agentRunEnd(events.at(-1)!) !== undefined,
    `the log of ${runId} ends`,
  )
}
