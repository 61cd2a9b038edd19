import assert from 'node:assert/strict'
import type { OpenedStorage, VerifyNote } from '@daybook/core'
import {
  type InvocationEnding,
  isKnownContent,
  isTerminalEvent,
  type RuntimeEvent,
} from '@daybook/core/canonical-runtime-event'

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

/**
 * Everything that must hold after a test: the ledger and the logs verify, with no other notes than these, each invocation
 * has one terminal event, the last, and its log is finished.
 */
export async function assertWhole(storage: OpenedStorage, noted: readonly VerifyNote['code'][] = []): Promise<void> {
  const { problems, notes } = await storage.events.verifyStore()
  assert.deepEqual([problems, notes.filter(({ code }) => !noted.includes(code))], [[], []])
  const { items } = await storage.sessions.list({ scope: { tenant: null }, limit: 1000 })
  for (const { id } of items) {
    const last = new Map<string, RuntimeEvent[]>()
    for (const { event } of await storage.events.readSessionRuntimeEvents(id)) {
      last.set(event.invocationId, [...(last.get(event.invocationId) ?? []), event])
    }
    for (const [event, ...events] of last.values() as Iterable<[RuntimeEvent, ...RuntimeEvent[]]>) {
      assert.equal([event, ...events].findIndex(isTerminalEvent), events.length)
      const header = await storage.agentEvents.readHeader(event.runId)
      assert.ok(header === undefined || header.finishedAt !== undefined, `the log of ${event.runId} ends`)
    }
  }
}
