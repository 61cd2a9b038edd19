import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { type AgentEvent, type AgentEventHeader, isTruncationMarker } from '../../ports/agent-event-store.ts'
import { AGENT_EVENTS_GAP } from '../log/markers.ts'
import { agentEventNames } from '../mapping/names.ts'
import { text, type ToldRun, type ToldSpan, untoldRun } from '../mapping/told-run.ts'
import { trackAgentEvent } from '../mapping/track.ts'
import type { FactKind, FactsToTell } from './facts-to-tell.ts'
import type { LogReport } from './log-report.ts'
import { isClosing } from './log-spans.ts'

/** In UTF-16 units; no fact is as long, and strings end somewhere. */
const maxToldLength = 2 ** 26

/** Holds what the rows of a log tell of texts, thinking, calls and results against the facts, row after row. */
export class LogFactsAudit {
  readonly #facts: FactsToTell
  readonly #report: LogReport
  readonly #told: ToldRun
  /** Arguments that replace those that were told, by call. */
  readonly #replacedArgs = new Map<string, string>()
  /** Calls whose arguments were ended without a fact, by where. */
  readonly #unfinishedCalls = new Map<string, number>()
  /** Where texts were ended that no fact holds. */
  readonly #lostTexts: number[] = []
  /** There was a gap since the last fact that was told. */
  #isAfterGap = false
  hasGap = false
  isTruncated = false

  constructor(header: AgentEventHeader, facts: FactsToTell, report: LogReport) {
    this.#facts = facts
    this.#report = report
    this.#told = untoldRun(header)
  }

  add(logSeq: number, event: AgentEvent): void {
    this.#trackMarkers(event)
    const { texts, thoughts, toolCalls } = this.#told
    const messageId = text(event.messageId) ?? ''
    const toolCallId = text(event.toolCallId) ?? ''
    this.#checkUnfinishedCalls(event, toolCallId)
    switch (event.type) {
      case 'TEXT_MESSAGE_END':
        this.#checkText(logSeq, 'text', messageId, texts.get(messageId))
        break
      case 'REASONING_MESSAGE_END':
        this.#checkText(logSeq, 'thinking', messageId, thoughts.get(messageId))
        break
      case 'TOOL_CALL_END':
        this.#checkCall(logSeq, toolCallId, toolCalls.get(toolCallId))
        break
      case 'TOOL_CALL_RESULT':
        if (!this.#checkTold(logSeq, 'result', toolCallId, text(event.content) ?? '', outcomeOf(event)))
          this.#unexpected(logSeq, 'result')
        break
      default:
    }
    const span = texts.get(messageId) ?? thoughts.get(messageId) ?? toolCalls.get(toolCallId)
    if ((span?.text.length ?? 0) < maxToldLength || event.delta === undefined) trackAgentEvent(this.#told, event)
  }

  /** After the last row. The end of the run may say that it was not kept what was told of a text. */
  finish({ isEnded, isLossStated }: { readonly isEnded: boolean; readonly isLossStated: boolean }): void {
    if (!isLossStated) for (const logSeq of this.#lostTexts) this.#unexpected(logSeq, 'text')
    const rest = this.#facts.rest()
    if (rest.length === 0 || this.#isAfterGap) return
    if (isEnded) this.#untold(rest)
    else this.#report.note('log_incomplete', `tells nothing of event ${rest[0]!.eventSeq} and what follows it`)
  }

  #trackMarkers(event: AgentEvent): void {
    if (event.type !== 'CUSTOM') return
    const { name, value } = event
    if (name === AGENT_EVENTS_GAP) this.hasGap = this.#isAfterGap = true
    this.isTruncated ||= isTruncationMarker(event)
    if (name !== agentEventNames.toolArgsReplaced || !isObject(value)) return
    const { toolCallId, args = null } = value as JsonObject
    this.#replacedArgs.set(text(toolCallId) ?? '', jsonOf(args) ?? '')
  }

  #checkText(logSeq: number, kind: 'text' | 'thinking', id: string, span: ToldSpan | undefined): void {
    const told = this.#toldOf(span)
    if (!this.#checkTold(logSeq, kind, id, told) && told !== undefined && told !== '') this.#lostTexts.push(logSeq)
  }

  #checkCall(logSeq: number, id: string, span: ToldSpan | undefined): void {
    const told = this.#replacedArgs.get(id) ?? this.#toldOf(span)
    this.#replacedArgs.delete(id)
    const isTold = !this.#facts.isEndedByResult(id) && this.#checkTold(logSeq, 'call', id, told)
    if (!isTold && told !== undefined) this.#unfinishedCalls.set(id, logSeq)
  }

  /** Undefined where that is not known. */
  #toldOf(span: ToldSpan | undefined): string | undefined {
    return span === undefined || span.isCut || this.isTruncated ? undefined : span.text
  }

  /** Holds what was told, where that is known, against the fact. False where there is none. */
  #checkTold(logSeq: number, kind: FactKind, id: string, told: string | undefined, outcome?: string): boolean {
    const taken = this.#facts.take(kind, id)
    if (taken === undefined) return false
    const { fact, skipped } = taken
    const { eventSeq } = fact
    if (skipped.length > 0 && !this.#isAfterGap) this.#untold(skipped)
    this.#isAfterGap = false
    if (told === undefined) return true
    if (!this.#facts.fits(fact, told) || fact.outcome !== outcome) {
      this.#report.problem('log_differs', `tells another ${kind} than the event holds`, { logSeq, eventSeq })
    }
    return true
  }

  /** A call that nobody completed is ended by its result, or right before the run. */
  #checkUnfinishedCalls(event: AgentEvent, toolCallId: string): void {
    if (this.#unfinishedCalls.size === 0) return
    if (event.type === 'TOOL_CALL_RESULT') this.#unfinishedCalls.delete(toolCallId)
    if (isClosing(event)) return
    for (const logSeq of this.#unfinishedCalls.values()) this.#unexpected(logSeq, 'call')
    this.#unfinishedCalls.clear()
  }

  #unexpected(logSeq: number, what: string): void {
    if (this.hasGap || this.#facts.hasUnknown) return
    this.#report.problem('log_differs', `tells a ${what} that no event holds`, { logSeq })
  }

  #untold(facts: readonly { readonly eventSeq: number }[]): void {
    const { eventSeq } = facts[0]!
    const more = facts.length === 1 ? '' : ` and ${facts.length - 1} behind it`
    this.#report.problem('log_differs', `tells nothing of the event${more}`, { eventSeq })
  }
}

/** Undefined where it is nested too deeply to have been written. */
function jsonOf(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function outcomeOf({ metadata }: AgentEvent): string {
  const { daybook } = isObject(metadata) ? metadata : {}
  const { outcome } = isObject(daybook) ? daybook : {}
  return typeof outcome === 'string' ? outcome : 'ok'
}
