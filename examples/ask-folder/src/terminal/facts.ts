import { cleanLine } from '@daybook/cli'
import {
  type InvocationSource,
  isKnownContent,
  isTerminalEvent,
  type StoredRuntimeEvent,
} from '@daybook/core/canonical-runtime-event'
import { describeCall, describeResult } from './describe-call.ts'
import { describeEnding } from './describe-ending.ts'
import { shortId } from './short-id.ts'
import { shorten } from './width.ts'

/** A fact of the ledger on one line of at most `columns`: its number in its invocation, and what it says in a few words. */
export function drawFact({ event, eventSeq }: StoredRuntimeEvent, columns: number): string {
  return shorten(`${String(eventSeq).padStart(3)}  ${cleanLine(describe(event))}`, columns)
}

function describe(event: StoredRuntimeEvent['event']): string {
  const { content, actions: { request, answer } = {} } = event
  if (isTerminalEvent(event)) return describeEnding(event.status ?? 'ended', event.actions?.ending)
  if (request !== undefined) return `asks a person: ${shortId(request.requestId)}`
  if (answer !== undefined) {
    const { requestId, outcome, by, reason } = answer
    return `${shortId(requestId)} is ${outcome}${by === undefined ? '' : ` by ${by}`}${reason === undefined ? '' : `: ${reason}`}`
  }
  if (!isKnownContent(content)) return content?.kind ?? 'a fact without content'
  switch (content.kind) {
    case 'invocation_opened':
      return describeSource(content.source)
    case 'text':
      return content.text
    case 'function_call':
      return `→ ${describeCall(content.name, content.args)}`
    case 'function_response':
      return `← ${content.name}: ${describeResult(content.name, content.outcome, content.result)}`
    case 'error':
      return content.message
    default:
      return content.kind
  }
}

function describeSource(source: InvocationSource): string {
  switch (source.kind) {
    case 'retry':
      return `opened, in place of ${shortId(source.supersedes)}`
    case 'continuation':
      return `opened, goes on from ${shortId(source.of)}`
    default:
      return 'opened'
  }
}
