import type { JsonValue } from '../../json/json-value.ts'
import type { AgentEventHeader } from '../../ports/agent-event-store.ts'
import type { RequestAction, RequestWait, TokenUsage } from '../../runtime-event/actions.ts'

/** The run whose events are told: the header of its log will do. */
export interface AgentRun extends Pick<AgentEventHeader, 'runId' | 'threadId' | 'parentRunId' | 'protocolVersion'> {
  /** How the backend gets the answers to what it asks. Absent means `later`. */
  readonly wait?: RequestWait | undefined
}

/** A text, thinking or a tool call's arguments, as they were told. */
export interface ToldSpan {
  /** Who it belongs to for the whole run: a key of `agents`. */
  readonly agent: string
  /** The model call in which it was begun. */
  readonly stepId: string | undefined
  /** Of a call. */
  readonly toolName: string | undefined
  isOpen: boolean
  /** What was told since it was begun, up to the first gap; empty while it is not open. */
  text: string
  /** Rows are missing in it: what comes does not follow `text`. */
  isCut: boolean
  /** Its beginning is not stored, so nothing of it is shown until it is begun again. */
  isLost: boolean
  /** How often it was ended. */
  ends: number
}

/** The run itself or one of its sub-agents. */
export interface ToldAgent {
  readonly path: readonly string[]
  isOpen: boolean
  step: string | undefined
  /** Every step that was begun: none begins twice. */
  readonly steps: Set<string>
  /** The message that holds the calls of the model's current answer. */
  message: string | undefined
}

export interface ToldRequest extends Pick<RequestAction, 'kind' | 'toolCallId' | 'payload'> {
  readonly agent: string
  isOpen: boolean
  /** In ms since 1970, by the store's clock. */
  expiresAt?: number
}

/** What of a run was told as agent events. Plain data; the functions that take it change it in place. */
export interface ToldRun {
  readonly run: AgentRun
  isStarted: boolean
  /** Nothing more is told. */
  isEnded: boolean
  /** By the id of the message. */
  readonly texts: Map<string, ToldSpan>
  /** By the id of the message. */
  readonly thoughts: Map<string, ToldSpan>
  /** Whose the reasoning is that is open, by the id of its message. */
  readonly reasonings: Map<string, string>
  /** By the id of the call; open while the arguments come. */
  readonly toolCalls: Map<string, ToldSpan>
  /** How often a result was told, by the id of the call. */
  readonly results: Map<string, number>
  /** How often anything else was told that a fact may hold: a CUSTOM event by its name, what a provider wants back by its type. */
  readonly others: Map<string, number>
  /** By `subagentRunId`, each after the one that called it; the run itself has the key ''. */
  readonly agents: Map<string, ToldAgent>
  /** By request id; open while nothing answers it. */
  readonly requests: Map<string, ToldRequest>
  usage: TokenUsage | undefined
  lastError: { readonly message: string; readonly code?: string } | undefined
}

/** A run of which nothing was told. */
export function untoldRun(run: AgentRun): ToldRun {
  return {
    run,
    isStarted: false,
    isEnded: false,
    texts: new Map(),
    thoughts: new Map(),
    reasonings: new Map(),
    toolCalls: new Map(),
    results: new Map(),
    others: new Map(),
    agents: new Map([['', newAgent([])]]),
    requests: new Map(),
    usage: undefined,
    lastError: undefined,
  }
}

export function newAgent(path: readonly string[]): ToldAgent {
  return { path, isOpen: true, step: undefined, steps: new Set(), message: undefined }
}

/** Whether a client that declared this version knows what AG-UI has since 1.0: sub-agents, and runs that were cancelled. */
export function knowsAgUi1(protocolVersion: string | undefined): boolean {
  return Number.parseFloat(protocolVersion ?? '0') >= 1
}

export function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
