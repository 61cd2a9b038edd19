import { pick } from '../../json/pick.ts'
import { isKnownContent } from '../../runtime-event/known-content.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import type { SessionEvent } from '../../session-event/session-event.ts'

/** The session event of a fact that is told as a CUSTOM event with a name of its own, or asks something; undefined of others. */
export function shownEventOf({ content, actions, refs, agentPath, turnId }: RuntimeEvent): SessionEvent | undefined {
  const base = { id: '', turnId, ts: 0, ...(agentPath && { agentPath }) }
  if (isKnownContent(content)) {
    switch (content.kind) {
      case 'source':
        return { ...base, type: 'source', ...pick(content, 'sourceId', 'url', 'title', 'mediaType') }
      case 'file': {
        const { mediaType, data } = content
        return { ...base, type: 'file', messageId: refs?.messageId ?? '', mediaType, data }
      }
      case 'error':
        return { ...base, type: 'error', ...pick(content, 'message', 'code') }
      default:
        return undefined
    }
  }
  const { tokenUsage, request, answerAck } = actions ?? {}
  if (tokenUsage !== undefined) return { ...base, type: 'token_usage', usage: tokenUsage }
  if (request !== undefined) {
    const asked = { ...base, ...pick(request, 'requestId', 'toolCallId', 'expiresInMs') }
    return request.kind === 'user_question'
      ? { ...asked, type: 'user_question_request', question: request.payload }
      : { ...asked, type: 'sandbox_boundary_request', request: request.payload }
  }
  if (answerAck === undefined) return undefined
  const { requestId, decision } = answerAck
  return decision === undefined
    ? { ...base, type: 'user_question_answer_ack', requestId }
    : { ...base, type: 'sandbox_boundary_decision_ack', requestId, decision }
}
