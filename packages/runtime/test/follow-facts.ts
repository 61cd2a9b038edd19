import assert from 'node:assert/strict'
import { type AgentEvent, agentEventNames, agentRunEnd, type OpenedStorage } from '@daybook/core'
import { isTerminalEvent, type RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { AgentEventSubscription, FollowEnd } from '@daybook/runtime/agent-event-log'

/** Of which kind of fact a row tells; undefined for one that tells of none. */
function kindOfRow(event: AgentEvent): string | undefined {
  if (agentRunEnd(event) !== undefined) return 'terminal'
  switch (event.type) {
    case 'TEXT_MESSAGE_END':
      return 'text'
    case 'REASONING_MESSAGE_END':
      return 'thinking'
    case 'TOOL_CALL_END':
      return 'function_call'
    case 'TOOL_CALL_RESULT':
      return 'function_response'
    default:
      return event.name === agentEventNames.error ? 'error' : undefined
  }
}

/**
 * Reads the run to its end and holds each row, when it comes, to the ledger: it has as many facts of that kind as were told.
 * What is closed with the run, such as a text that nobody completed, has no fact of its own but the terminal one.
 */
export async function followFacts(
  { events }: OpenedStorage,
  runId: string,
  subscription: AgentEventSubscription,
): Promise<FollowEnd> {
  const told = new Map<string, number>()
  for await (const { event, seq } of subscription) {
    const kind = kindOfRow(event)
    if (kind === undefined) continue
    told.set(kind, (told.get(kind) ?? 0) + 1)
    const { items } = await events.readRunRuntimeEvents(runId, { limit: 1000 })
    if (items.some((stored) => isTerminalEvent(stored.event))) continue
    const facts = items.filter((stored) => isOfKind(stored.event, kind)).length
    assert.ok(facts >= told.get(kind)!, `row ${seq}, ${event.type}, is told before its fact is in the ledger`)
  }
  return subscription.ended
}

function isOfKind({ content, role }: RuntimeEvent, kind: string): boolean {
  return content?.kind === kind && role !== 'user'
}
