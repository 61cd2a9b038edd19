import type { AgentBackend, BackendFactory } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'

/** A backend that answers each message with `facts` texts of `textBytes` bytes each, as fast as it is asked. */
export function scriptedBackend(facts: number, textBytes: number): BackendFactory {
  const text = 'the quick brown fox jumps over the lazy dog. '.repeat(1 + textBytes / 45).slice(0, textBytes)
  return ({ sessionId }): AgentBackend => ({
    kind: 'scripted',
    sessionId,
    async *send({ turnId, invocationId }): AsyncIterable<SessionEvent> {
      for (let index = 0; index < facts; index += 1) {
        const messageId = `message-${index}`
        yield { type: 'text_complete', id: `${invocationId}-${index}`, turnId, ts: 0, messageId, text }
      }
      yield { type: 'complete', id: `${invocationId}-end`, turnId, ts: 0, stopReason: 'end_turn' }
    },
    async stop() {},
    async respondToSandboxBoundary() {},
    async dispose() {},
  })
}
