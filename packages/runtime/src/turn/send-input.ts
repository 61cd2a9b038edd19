import { encodeCanonicalJson, modelMessagesBefore, type RequestRecord } from '@daybook/core'
import type { ApprovedCall, BackendContinuation, BackendSendInput } from '@daybook/core/backend-types'
import { isKnownContent, type StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { inheritedEvents } from '../branch/inherited-events.ts'
import type { TurnLedger } from '../ledger/turn-ledger.ts'
import { requestsOfAttempt } from '../request/paused-turn.ts'
import { requestsOfCall } from '../request/requests-of-call.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { attemptUpTo } from './attempt.ts'
import type { OpenedTurn } from './opened-turn.ts'

/** What the backend is given, as the ledger has it. Of a continuation the turn's ledger learns what is open. */
export async function sendInput(
  opened: OpenedTurn,
  ledger: TurnLedger,
  context: RuntimeContext,
): Promise<Omit<BackendSendInput, 'abortSignal'>> {
  const { session, run, text } = opened
  const { turnId, invocationId, runId } = run
  const inherited = await inheritedEvents(session, context)
  const events = await context.runtimeEventStore.readSessionRuntimeEvents(session.id)
  const history = modelMessagesBefore(invocationId, events, inherited)
  const input = { turnId, invocationId, runId, text, history }
  if (run.source.kind !== 'continuation') return input
  await ledger.readBack()
  return { ...input, continuation: await continuationOf(opened, run.source.of, events, ledger, context) }
}

async function continuationOf(
  { run, continues: kind = 'answers' }: OpenedTurn,
  of: string,
  events: readonly StoredRuntimeEvent[],
  ledger: TurnLedger,
  context: RuntimeContext,
): Promise<BackendContinuation> {
  const requests = await requestsOfAttempt(run, context)
  const attempt = new Set((await attemptUpTo(run, context.runStore)).map(({ invocationId }) => invocationId))
  const openCalls = [...ledger.openItems.toolCalls.keys()].flatMap((toolCallId): ApprovedCall[] => {
    const call = callOf(toolCallId, attempt, events)
    return call === undefined ? [] : [approvedCall(call, requestsOfCall(call, requests, ledger.openItems))]
  })
  return { kind, of, requests, openCalls }
}

type Call = Pick<ApprovedCall, 'toolCallId' | 'toolName' | 'args'>

/** The call as it was made last: an id may be used again. */
function callOf(
  toolCallId: string,
  attempt: ReadonlySet<string>,
  events: readonly StoredRuntimeEvent[],
): Call | undefined {
  const made = events.findLast(
    ({ event: { invocationId, content } }) =>
      attempt.has(invocationId) &&
      isKnownContent(content) &&
      content.kind === 'function_call' &&
      content.toolCallId === toolCallId,
  )
  const content = made?.event.content
  if (!isKnownContent(content) || content.kind !== 'function_call') return undefined
  return { toolCallId, toolName: content.name, args: content.args }
}

function approvedCall(call: Call, asked: readonly RequestRecord[]): ApprovedCall {
  const args = asked.findLast(({ answer }) => answer?.args !== undefined)?.answer?.args
  // Who answers may send back what they were shown.
  const isSame = args === undefined || encodeCanonicalJson(args) === encodeCanonicalJson(call.args)
  return isSame ? { ...call, changed: false } : { ...call, args, changed: true }
}
