import { invocationState } from '../../invocation/invocation-state.ts'
import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { InvocationFacts } from '../../ledger/verify/invocation-facts.ts'
import { type AgentEvent, type AgentEventState, isTruncationMarker } from '../../ports/agent-event-store.ts'
import { AGENT_EVENTS_GAP } from '../log/markers.ts'
import { agentRunEnd } from '../log/run-end.ts'
import { agentEventNames } from '../mapping/names.ts'
import { text, type ToldRun, untoldRun } from '../mapping/told-run.ts'
import { trackAgentEvent } from '../mapping/track.ts'
import type { FactKind, FactsToTell } from './facts-to-tell.ts'
import type { LogReport } from './log-report.ts'
import { isClosing, LogSpans } from './log-spans.ts'
import { isEndOfSweep, statesToldBy } from './told-end.ts'

/**
 * Holds the log of a run against the facts of its invocation, row after row. What cannot be known where rows are missing,
 * were trimmed or left out is not held against anything, and noted.
 */
export class LogRunAudit {
  readonly #state: AgentEventState
  readonly #invocation: InvocationFacts
  readonly #facts: FactsToTell
  readonly #report: LogReport
  readonly #told: ToldRun
  readonly #spans = new LogSpans()
  readonly #writeIds = new Set<string>()
  /** Arguments that replace those that were told, by call. */
  readonly #replacedArgs = new Map<string, string>()
  /** Calls whose arguments were ended without a fact, by where. */
  readonly #unfinishedCalls = new Map<string, number>()
  /** Where texts were ended that no fact holds. */
  readonly #lostTexts: number[] = []
  /** Something is known of each row so far, and they fit together. */
  #isKnown: boolean
  #hasGap = false
  /** There was a gap since the last fact that was told. */
  #isAfterGap = false
  #isTruncated = false
  #end: { readonly seq: number; readonly event: AgentEvent } | undefined
  #isOverrun = false
  /** Somebody else keeps a log under the run's id. */
  #isOthers = false

  constructor(state: AgentEventState, invocation: InvocationFacts, facts: FactsToTell, report: LogReport) {
    this.#state = state
    this.#invocation = invocation
    this.#facts = facts
    this.#report = report
    this.#told = untoldRun(state.header)
    this.#isKnown = state.floor === 1
  }

  /** `event` is undefined where the row cannot be read; `isWhole` is false where rows before it are missing. */
  add(logSeq: number, event: AgentEvent | undefined, writeId: string | null, isWhole: boolean): void {
    if (logSeq === 1) this.#isOthers = this.#isOfOtherThread() && event?.threadId === this.#state.header.threadId
    if (this.#isOthers) return
    this.#isKnown &&= isWhole
    if (writeId !== null) this.#checkWriteId(writeId, logSeq)
    if (event === undefined) return
    if (this.#end !== undefined) return this.#checkOverrun(logSeq)
    this.#checkStart(logSeq, event)
    this.#checkSpans(logSeq, event)
    if (this.#isKnown) this.#checkFact(logSeq, event)
    trackAgentEvent(this.#told, event)
    if (agentRunEnd(event) !== undefined) this.#checkEnd(logSeq, event)
  }

  /** After the last row. */
  finish(isWhole: boolean): void {
    const { threadId } = this.#state.header
    if (this.#isOthers)
      return this.#report.note('log_without_run', `is of a run of thread "${threadId}", and not of this`)
    if (this.#isOfOtherThread()) this.#report.problem('log_differs', `is of thread "${threadId}"`)
    this.#isKnown &&= isWhole
    const { finishedAt } = this.#state.header
    const { terminalSeq } = this.#invocation
    if (this.#end !== undefined && finishedAt === undefined) {
      this.#report.problem('log_columns_differ', 'is not marked as finished', { logSeq: this.#end.seq })
    }
    if (this.#end === undefined && finishedAt !== undefined && isWhole) {
      this.#report.problem('log_invalid', 'is marked as finished, and its last row ends nothing')
    }
    if (this.#isKnown) this.#checkRest()
    if (this.#end === undefined && finishedAt === undefined && terminalSeq !== null) {
      this.#report.note('log_unfinished', 'has not ended; its run has, and whoever follows it or recovers ends it')
    }
    for (const message of this.#losses()) this.#report.note('log_incomplete', message)
  }

  #isOfOtherThread(): boolean {
    return this.#state.header.threadId !== this.#invocation.sessionId
  }

  #checkWriteId(writeId: string, logSeq: number): void {
    if (this.#writeIds.has(writeId)) {
      this.#report.problem('log_invalid', 'has the write id of a row before it', { logSeq })
    }
    this.#writeIds.add(writeId)
  }

  #checkOverrun(logSeq: number): void {
    if (!this.#isOverrun)
      this.#report.problem('log_invalid', `follows row ${this.#end!.seq}, which ends it`, { logSeq })
    this.#isOverrun = true
  }

  #checkStart(logSeq: number, event: AgentEvent): void {
    const isFirst = logSeq === 1
    const isStart = event.type === 'RUN_STARTED'
    const { sessionId, runId } = this.#invocation
    if (isFirst !== isStart && (isStart || this.#isKnown)) {
      this.#report.problem('log_invalid', isStart ? 'starts the run again' : 'comes before the run starts', { logSeq })
    }
    if (isStart && (event.runId !== runId || event.threadId !== sessionId)) {
      this.#report.problem('log_differs', 'starts another run, or that of another thread', { logSeq })
    }
  }

  #checkSpans(logSeq: number, event: AgentEvent): void {
    if (!this.#isKnown) return
    const fault = this.#spans.add(event)
    if (fault === undefined) return
    this.#report.problem('log_invalid', fault, { logSeq })
    this.#isKnown = false
  }

  #checkFact(logSeq: number, event: AgentEvent): void {
    const { texts, thoughts, toolCalls } = this.#told
    const messageId = text(event.messageId) ?? ''
    const toolCallId = text(event.toolCallId) ?? ''
    this.#checkUnfinishedCalls(event, toolCallId)
    switch (event.type) {
      case 'TEXT_MESSAGE_END':
        return this.#checkText(logSeq, 'text', messageId, texts.get(messageId))
      case 'REASONING_MESSAGE_END':
        return this.#checkText(logSeq, 'thinking', messageId, thoughts.get(messageId))
      case 'TOOL_CALL_END': {
        const span = toolCalls.get(toolCallId)
        const replaced = this.#replacedArgs.get(toolCallId)
        this.#replacedArgs.delete(toolCallId)
        const isCut = replaced === undefined && (this.#isTruncated || span?.isCut !== false)
        const found = this.#checkTold(logSeq, 'call', toolCallId, isCut ? undefined : (replaced ?? span!.text))
        if (!found && !isCut) this.#unfinishedCalls.set(toolCallId, logSeq)
        return
      }
      case 'TOOL_CALL_RESULT': {
        const found = this.#checkTold(logSeq, 'result', toolCallId, text(event.content) ?? '', outcomeOf(event))
        if (!found) this.#unexpected(logSeq, 'result')
        return
      }
      case 'CUSTOM':
        return this.#trackCustom(event)
      default:
    }
  }

  #trackCustom(event: AgentEvent): void {
    const { name, value } = event
    if (name === AGENT_EVENTS_GAP) this.#hasGap = this.#isAfterGap = true
    this.#isTruncated ||= isTruncationMarker(event)
    if (name !== agentEventNames.toolArgsReplaced || !isObject(value)) return
    const { toolCallId, args = null } = value as JsonObject
    this.#replacedArgs.set(text(toolCallId) ?? '', jsonOf(args) ?? '')
  }

  #checkText(
    logSeq: number,
    kind: 'text' | 'thinking',
    id: string,
    span: { readonly text: string; readonly isCut: boolean } | undefined,
  ): void {
    const isCut = this.#isTruncated || span?.isCut !== false
    const found = this.#checkTold(logSeq, kind, id, isCut ? undefined : span!.text)
    if (!found && !isCut && span!.text !== '') this.#lostTexts.push(logSeq)
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

  #checkEnd(seq: number, event: AgentEvent): void {
    this.#end = { seq, event }
    if (isEndOfSweep(event)) return
    if (this.#isKnown) {
      for (const span of this.#spans.open.slice(0, 1)) {
        this.#report.problem('log_invalid', `ends the run while a ${span} is open`, { logSeq: seq })
      }
    }
    const { record, terminalSeq } = this.#invocation
    if (terminalSeq === null) {
      this.#report.problem('log_differs', 'ends the run, and the invocation has not ended', { logSeq: seq })
    } else if (record?.terminalEvent !== undefined && !statesToldBy(event).includes(invocationState(record))) {
      const message = `tells another end than the invocation has, which is ${invocationState(record)}`
      this.#report.problem('log_differs', message, { logSeq: seq, eventSeq: terminalSeq })
    }
  }

  /** What was told without a fact, and what was not told. */
  #checkRest(): void {
    const { record } = this.#invocation
    const isLossStated = record?.terminalEvent?.actions?.ending?.partialText === 'not_recorded'
    if (!isLossStated) for (const logSeq of this.#lostTexts) this.#unexpected(logSeq, 'text')
    const rest = this.#facts.rest()
    if (rest.length === 0 || this.#isAfterGap) return
    if (this.#end === undefined) {
      this.#report.note('log_incomplete', `tells nothing of event ${rest[0]!.eventSeq} and what follows it`)
    } else if (!isEndOfSweep(this.#end.event)) this.#untold(rest)
  }

  #unexpected(logSeq: number, what: string): void {
    if (this.#hasGap || this.#facts.hasUnknown) return
    this.#report.problem('log_differs', `tells a ${what} that no event holds`, { logSeq })
  }

  #untold(facts: readonly { readonly eventSeq: number }[]): void {
    const { eventSeq } = facts[0]!
    const more = facts.length === 1 ? '' : ` and ${facts.length - 1} behind it`
    this.#report.problem('log_differs', `tells nothing of the event${more}`, { eventSeq })
  }

  #losses(): string[] {
    const losses: string[] = []
    if (this.#state.floor > 1) losses.push('was trimmed: it is not held against the events')
    if (this.#hasGap) losses.push('has a gap: what stood there is not held against the events')
    if (this.#isTruncated) losses.push('was truncated: texts behind that are not held against the events')
    if (this.#end !== undefined && isEndOfSweep(this.#end.event)) losses.push('was ended by a sweep, for its age')
    return losses
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
