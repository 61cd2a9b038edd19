import { type RequestRecord, UnsupportedError } from '@daybook/core'
import type { AgentBackend } from '@daybook/core/backend-types'

/** Calls the backend back with the answer to what it asked. One that nobody answered in time counts as denied. */
export async function respond(backend: AgentBackend, { requestId, kind, answer }: RequestRecord): Promise<void> {
  if (kind === 'sandbox_boundary') {
    const { args, reason = answer?.outcome === 'expired' ? 'Nobody answered in time.' : undefined } = answer ?? {}
    return backend.respondToSandboxBoundary({
      requestId,
      decision: answer?.outcome === 'approved' ? 'approved' : 'denied',
      ...(args !== undefined && { args }),
      ...(reason !== undefined && { reason }),
    })
  }
  if (backend.respondToUserQuestion === undefined) {
    throw new UnsupportedError('answers to questions', `backend kind "${backend.kind}"`)
  }
  return backend.respondToUserQuestion({ requestId, ...(answer?.outcome === 'answered' && { answer: answer.answer }) })
}
