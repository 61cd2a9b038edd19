import type { OpenItems, OpenToolCall, RequestRecord } from '@daybook/core'

/** What was asked about a call that is open; what was asked about an earlier one of the same id is not its. */
export function requestsOfCall(
  { toolCallId }: Pick<OpenToolCall, 'toolCallId'>,
  requests: readonly RequestRecord[],
  { requestsOfCalls }: OpenItems,
): RequestRecord[] {
  const asked = requestsOfCalls.get(toolCallId)
  return asked === undefined ? [] : requests.filter(({ requestId }) => asked.has(requestId))
}
