import { encodeCanonicalJson } from '../../json/canonical-json.ts'
import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { type AgentEvent, type AgentEventHeader, isTruncationMarker } from '../../ports/agent-event-store.ts'
import { shapeOfType } from '../../session-event/event-shape.ts'
import { isMarker } from '../log/markers.ts'
import { agentEventNames } from '../mapping/names.ts'
import { text, type ToldRun, type ToldSpan, untoldRun } from '../mapping/told-run.ts'
import { trackAgentEvent } from '../mapping/track.ts'
import type { FactsToTell, Said } from './facts-to-tell.ts'
import type { LogReport } from './log-report.ts'
import { isClosing } from './log-spans.ts'
import { hasToldOwner } from './row-owner.ts'
import { hasToldShape } from './row-shape.ts'

/** In UTF-16 units; no fact is as long, and strings end somewhere. */
const maxToldLength = 2 ** 26

/** What stands in place of what was told of a text or a call, until its end, which comes next. */
interface Replacement {
  readonly id: string
  readonly agent: string
  readonly toolName: string | undefined
  /** Of a call: the JSON of its arguments. */
  readonly args: string | undefined
}

/** Holds what the rows of a log tell against the facts, row after row. */
export class LogFactsAudit {
  readonly #facts: FactsToTell
  readonly #report: LogReport
  readonly #told: ToldRun
  #replacement: Replacement | undefined
  /** Calls whose arguments were ended without a fact, by where. */
  readonly #unfinishedCalls = new Map<string, number>()
  /** Where texts were ended that no fact holds. */
  readonly #lostTexts: number[] = []
  /** Facts may be missing since the last one that is known to be told. */
  #isAfterGap = false
  /** Since the last gap came nothing but ends, which may be of what was told before it. */
  #isRightAfterGap = false
  hasGap = false
  isTruncated = false

  constructor(header: AgentEventHeader, facts: FactsToTell, report: LogReport) {
    this.#facts = facts
    this.#report = report
    this.#told = untoldRun(header)
  }

  add(logSeq: number, event: AgentEvent): void {
    if (isMarker(event)) this.#addMarker(event)
    else this.#add(logSeq, event)
    const { texts, thoughts, toolCalls } = this.#told
    const messageId = text(event.messageId) ?? ''
    const span = texts.get(messageId) ?? thoughts.get(messageId) ?? toolCalls.get(text(event.toolCallId) ?? '')
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

  #addMarker(event: AgentEvent): void {
    if (isTruncationMarker(event)) this.isTruncated = true
    else this.hasGap = this.#isAfterGap = this.#isRightAfterGap = true
  }

  #add(logSeq: number, event: AgentEvent): void {
    const { texts, thoughts, toolCalls } = this.#told
    const messageId = text(event.messageId) ?? ''
    const toolCallId = text(event.toolCallId) ?? ''
    this.#isRightAfterGap &&= isClosing(event)
    this.#checkUnfinishedCalls(event, toolCallId)
    if (!hasToldShape(this.#told, event)) this.#differs(logSeq, 'is not as any event is told')
    else if (!this.hasGap && !hasToldOwner(this.#told, event))
      this.#differs(logSeq, 'is told as of another agent, or message, than it belongs to')
    const replacement = this.#replacement
    this.#replacement = undefined
    if (
      replacement !== undefined &&
      !this.hasGap &&
      !(isClosing(event) && replacement.id === (messageId || toolCallId))
    )
      this.#differs(logSeq, 'comes between what replaces something and the end of that')
    switch (event.type) {
      case 'TEXT_MESSAGE_END':
        return this.#checkText(logSeq, 'text', event, texts.get(messageId), replacement)
      case 'REASONING_MESSAGE_END':
        return this.#checkText(logSeq, 'thinking', event, thoughts.get(messageId), replacement)
      case 'REASONING_ENCRYPTED_VALUE':
        return this.#expect(logSeq, {
          ...saidBy(event),
          kind: 'encrypted',
          id: text(event.entityId) ?? '',
          text: text(event.encryptedValue) ?? '',
          // That of the thinking that it follows.
          agent: undefined,
        })
      case 'TOOL_CALL_END':
        return this.#checkCall(logSeq, event, toolCalls.get(toolCallId), replacement)
      case 'TOOL_CALL_RESULT':
        return this.#expect(logSeq, {
          ...saidBy(event),
          kind: 'result',
          id: toolCallId,
          text: text(event.content) ?? '',
        })
      case 'CUSTOM':
        return this.#addCustom(logSeq, event)
      default:
    }
  }

  #addCustom(logSeq: number, event: AgentEvent): void {
    const { name, value = null } = event
    const said = isObject(value) ? (value as JsonObject) : {}
    switch (name) {
      case agentEventNames.textReplaced:
      case agentEventNames.toolArgsReplaced: {
        const { texts, thoughts, toolCalls } = this.#told
        const isCall = name === agentEventNames.toolArgsReplaced
        const id = text(isCall ? said.toolCallId : said.messageId) ?? ''
        const span = isCall ? toolCalls.get(id) : (texts.get(id) ?? thoughts.get(id))
        if (span === undefined || (!isCall && typeof said.text !== 'string'))
          return this.#differs(logSeq, 'replaces nothing that can be replaced')
        const toolName = text(said.toolCallName) ?? span.toolName
        const args = isCall ? (jsonOf(said.args ?? null) ?? '') : undefined
        this.#replacement = { id, agent: text(event.subagentRunId) ?? '', toolName, args }
        return
      }
      case agentEventNames.custom:
        return this.#expect(logSeq, stateSaidBy(event, text(said.name), said.value ?? null))
      case agentEventNames.sessionEvent: {
        const { fields } = shapeOfType(said.type)
        const unknown = Object.entries(said).filter(([field]) => !fields.includes(field))
        return this.#expect(logSeq, stateSaidBy(event, text(said.type), Object.fromEntries(unknown)))
      }
      case agentEventNames.error:
      case agentEventNames.file:
      case agentEventNames.request:
      case agentEventNames.requestAnswered:
      case agentEventNames.source:
      case agentEventNames.tokenUsage:
        return this.#expect(logSeq, { ...saidBy(event), kind: 'custom', id: name, text: jsonOf(value) ?? '' })
      default:
    }
  }

  #checkText(
    logSeq: number,
    kind: 'text' | 'thinking',
    event: AgentEvent,
    span: ToldSpan | undefined,
    replacement: Replacement | undefined,
  ): void {
    const told = this.#toldOf(span, replacement !== undefined)
    const whole = { ...saidBy(event, replacement), kind, id: text(event.messageId) ?? '', text: told }
    const said = isKnown(span) ? whole : { ...whole, detail: undefined, agent: undefined }
    if (!this.#check(logSeq, said) && told !== undefined && told !== '') this.#lostTexts.push(logSeq)
  }

  #checkCall(
    logSeq: number,
    event: AgentEvent,
    span: ToldSpan | undefined,
    replacement: Replacement | undefined,
  ): void {
    const id = text(event.toolCallId) ?? ''
    const told = replacement?.args ?? this.#toldOf(span, false)
    const detail = (replacement?.toolName ?? span?.toolName ?? '').toWellFormed()
    const whole = { ...saidBy(event, replacement), kind: 'call' as const, id, text: told, detail }
    const said = isKnown(span) ? whole : { ...whole, text: undefined, detail: undefined, agent: undefined }
    // A result ends the arguments of a call that is still to be made.
    const isOfResult = !this.#isAfterGap && this.#facts.isNext('result', id)
    if ((isOfResult || !this.#check(logSeq, said)) && told !== undefined) this.#unfinishedCalls.set(id, logSeq)
  }

  /** Undefined where that is not known. */
  #toldOf(span: ToldSpan | undefined, isReplaced: boolean): string | undefined {
    return !isKnown(span) || (this.isTruncated && !isReplaced) ? undefined : span.text
  }

  #expect(logSeq: number, said: Said): void {
    if (!this.#check(logSeq, said)) this.#unexpected(logSeq, nameOf(said))
  }

  /** Holds what was told against the fact. False where there is none. */
  #check(logSeq: number, said: Said): boolean {
    const taken = this.#facts.take(said, this.#isAfterGap)
    if (taken === undefined) return false
    const { fact, skipped, isCertain } = taken
    const { eventSeq } = fact
    if (skipped.length > 0 && !this.#isAfterGap) this.#untold(skipped)
    if (isCertain && !this.#isRightAfterGap) this.#isAfterGap = false
    if (!this.#facts.fits(fact, said))
      this.#differs(logSeq, `tells another ${nameOf(said)} than the event holds`, eventSeq)
    return true
  }

  /** A call that nobody completed is ended by its result, right before the run, or before it is begun again. */
  #checkUnfinishedCalls(event: AgentEvent, toolCallId: string): void {
    if (this.#unfinishedCalls.size === 0) return
    if (event.type === 'TOOL_CALL_RESULT' || event.type === 'TOOL_CALL_START') this.#unfinishedCalls.delete(toolCallId)
    if (isClosing(event)) return
    for (const logSeq of this.#unfinishedCalls.values()) this.#unexpected(logSeq, 'call')
    this.#unfinishedCalls.clear()
  }

  #unexpected(logSeq: number, what: string): void {
    if (!this.hasGap && !this.#facts.hasUnknown) this.#differs(logSeq, `tells a ${what} that no event holds`)
  }

  #untold(facts: readonly { readonly eventSeq: number }[]): void {
    const { eventSeq } = facts[0]!
    const more = facts.length === 1 ? '' : ` and ${facts.length - 1} behind it`
    this.#report.problem('log_differs', `tells nothing of the event${more}`, { eventSeq })
  }

  #differs(logSeq: number, message: string, eventSeq?: number): void {
    this.#report.problem('log_differs', message, { logSeq, ...(eventSeq !== undefined && { eventSeq }) })
  }
}

/** Whether all of it is there up to now. */
function isKnown(span: ToldSpan | undefined): span is ToldSpan {
  return span !== undefined && !span.isCut
}

function saidBy(event: AgentEvent, replacement?: Replacement): Pick<Said, 'detail' | 'agent'> {
  const { metadata = null, subagentRunId } = event
  return { detail: canonicalOf(metadata), agent: replacement?.agent ?? text(subagentRunId) ?? '' }
}

/** The metadata may say what was left out. */
function stateSaidBy(event: AgentEvent, name: string | undefined, value: JsonValue): Said {
  return { ...saidBy(event), kind: 'state', id: name ?? '', text: jsonOf(value) ?? '', detail: undefined }
}

function nameOf({ kind, id }: Said): string {
  return kind === 'custom' ? id : kind === 'state' ? `"${id}"` : kind
}

/** Undefined where it is nested too deeply to have been written. */
function jsonOf(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Empty where it is nested too deeply to have been written. */
function canonicalOf(value: JsonValue): string {
  try {
    return encodeCanonicalJson(value)
  } catch {
    return ''
  }
}
