import { cleanLine } from '@daybook/cli'
import { isKnownContent, isTerminalEvent, type StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { fit } from './width.ts'

/** Something that took time, in ms since 1970; it has no end while it is open. */
interface Span {
  readonly startedAt: number
  endedAt?: number
  how: string
}

interface CallSpan extends Span {
  readonly name: string
}

export interface InvocationSpan extends Span {
  readonly calls: CallSpan[]
}

/** When the invocations of a session and the tool calls in them began and ended, by the clocks of their producers. */
export function timelineOf(events: readonly StoredRuntimeEvent[]): InvocationSpan[] {
  const spans = new Map<string, InvocationSpan>()
  const calls = new Map<string, CallSpan>()
  for (const { event } of events) {
    const { content, invocationId, ts } = event
    const span = spans.get(invocationId)
    if (!isKnownContent(content) || span === undefined) {
      if (content?.kind === 'invocation_opened') spans.set(invocationId, { startedAt: ts, how: 'open', calls: [] })
    } else if (content.kind === 'function_call') {
      const call: CallSpan = { name: content.name, startedAt: ts, how: 'open' }
      span.calls.push(call)
      calls.set(`${invocationId} ${content.toolCallId}`, call)
    } else if (content.kind === 'function_response') {
      const call = calls.get(`${invocationId} ${content.toolCallId}`)
      if (call !== undefined) Object.assign(call, { endedAt: ts, how: content.outcome })
    }
    if (span !== undefined && span.endedAt === undefined && isTerminalEvent(event))
      Object.assign(span, { endedAt: ts, how: event.status ?? 'ended' })
  }
  return [...spans.values()]
}

/** The spans as bars on one scale, at most `columns` wide: `━` an invocation, `█` a tool call. */
export function drawTimeline(invocations: readonly InvocationSpan[], columns: number): string[] {
  const lengthOf = (span: Span): number => Math.max(0, (span.endedAt ?? span.startedAt) - span.startedAt)
  const longest = Math.max(1, ...invocations.map(lengthOf))
  const label = Math.floor(columns * 0.3)
  const bar = columns - label - 10
  const at = (ms: number): number => Math.min(bar, Math.max(0, Math.round((ms / longest) * bar)))
  const row = (text: string, span: Span, from: number, mark: string): string => {
    const start = Math.min(at(span.startedAt - from), bar - 1)
    const length = Math.max(1, Math.min(at(lengthOf(span)), bar - start))
    const took = span.endedAt === undefined ? 'open' : duration(lengthOf(span))
    return `${fit(text, label)} ${took.padStart(8)} ${' '.repeat(start)}${mark.repeat(length)}`
  }
  return invocations.flatMap((invocation, index) => [
    row(`turn ${index + 1} · ${invocation.how}`, invocation, invocation.startedAt, '━'),
    ...invocation.calls.map((call) =>
      row(`  ${cleanLine(call.name)}${call.how === 'ok' ? '' : ` · ${call.how}`}`, call, invocation.startedAt, '█'),
    ),
  ])
}

function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : ms < 100_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}
