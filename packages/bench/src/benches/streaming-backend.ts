import type { AgentBackend, BackendFactory } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'

export interface Streaming {
  /** Of one text, which is whole in any case. */
  readonly deltas: number
  readonly text: string
  /** Called before each delta. */
  readonly onDelta?: () => void
}

/** A backend that answers each message with a text, in deltas of the same length, as fast as it is asked. */
export function streamingBackend({ deltas, text, onDelta }: Streaming): BackendFactory {
  return ({ sessionId }): AgentBackend => ({
    kind: 'scripted',
    sessionId,
    async *send({ turnId, invocationId }): AsyncIterable<SessionEvent> {
      const messageId = 'message'
      for (let index = 0; index < deltas; index += 1) {
        onDelta?.()
        const delta = text.slice((index * text.length) / deltas, ((index + 1) * text.length) / deltas)
        yield { type: 'text_delta', id: `${invocationId}-${index}`, turnId, ts: 0, messageId, text: delta }
      }
      yield { type: 'text_complete', id: `${invocationId}-text`, turnId, ts: 0, messageId, text }
      yield { type: 'complete', id: `${invocationId}-end`, turnId, ts: 0, stopReason: 'end_turn' }
    },
    async stop() {},
    async respondToSandboxBoundary() {},
    async dispose() {},
  })
}
