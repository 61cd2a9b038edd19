import type { AgentBackend, BackendFactory } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'

export interface WaitingBackendOptions {
  /** Called when the call of the tool is in the ledger. */
  readonly onTool?: () => void
  readonly onStop?: () => void
}

/** A backend that calls a tool in each session's one turn, and then waits until it is stopped. */
export function waitingBackend({ onTool, onStop }: WaitingBackendOptions = {}): BackendFactory {
  return ({ sessionId }): AgentBackend => {
    const stopped = Promise.withResolvers<void>()
    return {
      kind: 'scripted',
      sessionId,
      async *send({ turnId }): AsyncIterable<SessionEvent> {
        yield { type: 'tool_start', id: 'call', turnId, ts: 0, toolCallId: 'call', toolName: 'wait', args: {} }
        onTool?.()
        await stopped.promise
      },
      async stop() {
        onStop?.()
        stopped.resolve()
      },
      async respondToSandboxBoundary() {},
      async dispose() {},
    }
  }
}
