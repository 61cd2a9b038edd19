import { invocationState } from '../../invocation/invocation-state.ts'
import type { InvocationFacts } from '../../ledger/verify/invocation-facts.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import type { AgentEvent, AgentEventState } from '../../ports/agent-event-store.ts'
import { isMarker } from '../log/markers.ts'
import { agentRunEnd } from '../log/run-end.ts'
import { encodeCanonicalJson } from '../../json/canonical-json.ts'
import { agentEventsOfStart } from '../mapping/map.ts'
import { agentEventNames } from '../mapping/names.ts'
import { untoldRun } from '../mapping/told-run.ts'
import { LogFactsAudit } from './audit-log-facts.ts'
import type { FactsToTell } from './facts-to-tell.ts'
import type { LogReport } from './log-report.ts'
import { isClosing, LogSpans } from './log-spans.ts'
import { isToldType } from './row-shape.ts'
import { endedAgent, isEndOfSweep, isToldEnd, statesToldBy } from './told-end.ts'

const agentEnds: ReadonlySet<unknown> = new Set([agentEventNames.subagentFinished, agentEventNames.subagentError])

/**
 * Holds the log of a run against its invocation, row after row. What cannot be known where rows are missing, were trimmed
 * or left out is not held against anything, and noted.
 */
export class LogRunAudit {
  readonly #state: AgentEventState
  readonly #invocation: InvocationFacts
  readonly #report: LogReport
  readonly #tenant: string | null | undefined
  readonly #toTell: FactsToTell
  readonly #facts: LogFactsAudit
  readonly #spans = new LogSpans()
  readonly #writeIds = new Set<string>()
  /** Something is known of each row so far, and they fit together. */
  #isKnown: boolean
  #end: { readonly seq: number; readonly event: AgentEvent } | undefined
  /** The ends of sub-agents: the run's follows. */
  readonly #endedAgents: AgentEvent[] = []
  #isOverrun = false
  /** Somebody else keeps a log under the run's id. */
  #isOthers = false

  /** `tenant` is undefined where the session cannot be read. */
  constructor(
    state: AgentEventState,
    invocation: InvocationFacts,
    facts: FactsToTell,
    tenant: string | null | undefined,
    report: LogReport,
  ) {
    this.#tenant = tenant
    this.#state = state
    this.#invocation = invocation
    this.#report = report
    this.#toTell = facts
    this.#facts = new LogFactsAudit(state.header, facts, report)
    this.#isKnown = state.floor === 1
  }

  /** `event` is undefined where the row cannot be read; `isWhole` is false where a row up to this one is missing. */
  add(logSeq: number, event: AgentEvent | undefined, writeId: string | null, isWhole: boolean): void {
    if (logSeq === 1) this.#isOthers = this.#isOfOtherThread() && event?.threadId === this.#state.header.threadId
    if (this.#isOthers) return
    this.#isKnown &&= isWhole
    if (writeId !== null) this.#checkWriteId(writeId, logSeq)
    if (event === undefined) return
    if (this.#end !== undefined) return this.#checkOverrun(logSeq)
    if (!isToldType(event)) this.#report.problem('log_differs', 'is of a type that no event is told as', { logSeq })
    this.#checkStart(logSeq, event)
    if (this.#isKnown) this.#checkSpans(logSeq, event)
    if (this.#isKnown) this.#checkEndedAgents(logSeq, event)
    if (this.#isKnown) this.#facts.add(logSeq, event)
    if (agentRunEnd(event) !== undefined) this.#checkEnd(logSeq, event)
  }

  /** After the last row. */
  finish(isWhole: boolean): void {
    const { threadId, tenant, finishedAt } = this.#state.header
    const { terminalSeq, record } = this.#invocation
    if (this.#isOthers)
      return this.#report.note('log_without_run', `is of a run of thread "${threadId}", and not of this`)
    if (this.#isOfOtherThread()) this.#report.problem('log_differs', `is of thread "${threadId}"`)
    if (this.#tenant !== undefined && this.#tenant !== tenant)
      this.#report.problem('log_differs', 'is of another tenant than the session')
    this.#isKnown &&= isWhole
    if (this.#end !== undefined && finishedAt === undefined) {
      this.#report.problem('log_columns_differ', 'is not marked as finished', { logSeq: this.#end.seq })
    }
    if (this.#end === undefined && finishedAt !== undefined && isWhole) {
      this.#report.problem('log_invalid', 'is marked as finished, and its last row ends nothing')
    }
    if (this.#isKnown) {
      const isLossStated = record?.terminalEvent?.actions?.ending?.partialText === 'not_recorded'
      this.#facts.finish({ isEnded: this.#end !== undefined && !isEndOfSweep(this.#end.event), isLossStated })
    }
    if (this.#end === undefined && finishedAt === undefined && terminalSeq !== null) {
      this.#report.note('log_unfinished', 'has not ended; its run has, and whoever follows it or recovers ends it')
    }
    for (const loss of this.#losses()) this.#report.note('log_incomplete', loss)
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
    if (!isStart) return
    if (event.runId !== runId || event.threadId !== sessionId) {
      this.#report.problem('log_differs', 'starts another run, or that of another thread', { logSeq })
    } else if (!this.#isStartOfHeader(event)) {
      this.#report.problem('log_differs', 'starts the run otherwise than the log says', { logSeq })
    }
  }

  #isStartOfHeader(event: AgentEvent): boolean {
    const { timestamp: _, ...told } = event
    try {
      return encodeCanonicalJson(told) === encodeCanonicalJson(agentEventsOfStart(untoldRun(this.#state.header))[0]!)
    } catch {
      // It is nested more deeply than anything that is told.
      return false
    }
  }

  #checkEndedAgents(logSeq: number, event: AgentEvent): void {
    const isEnd = event.type === 'CUSTOM' ? agentEnds.has(event.name) : endedAgent(event) !== undefined
    if (isEnd) this.#endedAgents.push(event)
    else if (this.#endedAgents.length > 0 && !isClosing(event) && !isMarker(event))
      this.#report.problem('log_invalid', 'follows the end of a sub-agent', { logSeq })
  }

  #checkSpans(logSeq: number, event: AgentEvent): void {
    const fault = this.#spans.add(event)
    if (fault === undefined) return
    this.#report.problem('log_invalid', fault, { logSeq })
    this.#isKnown = false
  }

  #checkEnd(logSeq: number, event: AgentEvent): void {
    this.#end = { seq: logSeq, event }
    if (isEndOfSweep(event)) return
    const [open] = this.#isKnown ? this.#spans.open : []
    if (open !== undefined) this.#report.problem('log_invalid', `ends the run while a ${open} is open`, { logSeq })
    const { record, terminalSeq } = this.#invocation
    if (terminalSeq === null) {
      this.#report.problem('log_differs', 'ends the run, and the invocation has not ended', { logSeq })
    } else if (record?.terminalEvent !== undefined && !this.#isEndOf(record.terminalEvent, event)) {
      const message = `tells another end than the invocation has, which is ${invocationState(record)}`
      this.#report.problem('log_differs', message, { logSeq, eventSeq: terminalSeq })
    }
  }

  #isEndOf(terminal: RuntimeEvent, event: AgentEvent): boolean {
    const { header } = this.#state
    const state = invocationState({ terminalEvent: terminal })
    if (!statesToldBy(event).includes(state)) return false
    // Of what somebody else wrote, or was erased, only that is known.
    if (terminal.actions?.ending === undefined || this.#toTell.hasUnknown) return true
    const rows = [...(this.#isKnown ? this.#endedAgents : []), event]
    const hasGap = this.#facts.hasGap || !this.#isKnown
    return isToldEnd({ rows, header, hasGap }, terminal, state, this.#toTell.told)
  }

  #losses(): string[] {
    const losses: string[] = []
    if (this.#state.floor > 1) losses.push('was trimmed: it is not held against the events')
    if (this.#facts.hasGap) losses.push('has a gap: what stood there is not held against the events')
    if (this.#facts.isTruncated) losses.push('was truncated: texts behind that are not held against the events')
    if (this.#end !== undefined && isEndOfSweep(this.#end.event)) losses.push('was ended by a sweep, for its age')
    return losses
  }
}
