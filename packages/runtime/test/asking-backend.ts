import type { RequestRecord } from '@daybook/core'
import type { BackendSendInput } from '@daybook/core/backend-types'
import type { RequestAnswer, SessionManager } from '@daybook/runtime/session-manager'
import { eventsOf, type Script } from './scripted-backend.ts'

/** Calls these tools, asks for leave for each and waits; when it goes on it runs what was approved, and answers. */
export function asksFor(calls: readonly string[], expiresInMs?: number): Script {
  return async function* (input) {
    const say = eventsOf(input.turnId)
    if (input.continuation !== undefined) return yield* goOn(input)
    for (const call of calls) yield say.call(call, { path: call })
    for (const call of calls) yield say.boundary(call, call, expiresInMs)
    yield say.complete('waiting')
  }
}

async function* goOn({ turnId, continuation }: BackendSendInput): AsyncGenerator<unknown> {
  const say = eventsOf(turnId)
  for (const { toolCallId, args } of continuation?.openCalls ?? []) yield say.result(toolCallId, { ran: args })
  yield say.text('done')
  yield say.complete()
}

/** What the session waits for, oldest first. */
export async function openRequests(manager: SessionManager, sessionId: string): Promise<readonly RequestRecord[]> {
  return (await manager.listOpenRequests({ sessionId })).items
}

export function approve({ requestId, digest }: RequestRecord, more: { args?: { path: string } } = {}): RequestAnswer {
  return { requestId, digest, decision: 'approved', ...more }
}

export function deny({ requestId, digest }: RequestRecord, reason?: string): RequestAnswer {
  return { requestId, digest, decision: 'denied', ...(reason !== undefined && { reason }) }
}
