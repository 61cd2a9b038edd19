import type { ApprovedCall } from '@daybook/core/backend-types'
import type { ToolResultEvent, ToolStartEvent } from '@daybook/core/events'
import { withChangedArgs } from '../changed-args.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { describeError } from './describe-error.ts'
import type { Emit } from './emit.ts'
import type { ToolCall, ToolError, ToolResult } from './stream-part.ts'

/** What was seen of the executions in this process, by the SDK's call id. */
export interface Executions {
  /** Whether the tool began to run. */
  began(sdkCallId: string): boolean
  durationMs(sdkCallId: string): number | undefined
  /** The SDK told the outcome: what comes under this id from now on is of another call. */
  forget(sdkCallId: string): void
}

interface OpenCall {
  readonly call: Pick<ToolStartEvent, 'toolCallId' | 'toolName' | 'providerExecuted'>
  readonly stepId: string | undefined
  /** A person was asked: the turn may end before the call has an outcome. */
  awaited: boolean
  /** What a person had it run with in place of what the model asked for. */
  readonly changedArgs?: unknown
}

/** The tool calls of a turn, by the SDK's call id. Each gets one outcome, in whatever order the results come. */
export interface ToolCalls {
  /** The model begins to write the arguments of a call. */
  announce(sdkCallId: string, toolName: string): void
  appendInput(sdkCallId: string, text: string): void
  start(call: ToolCall, stepId: string | undefined): void
  /** Opens a call again that a person approved, under our id of it. */
  resume(call: ApprovedCall): void
  /** Marks an open call as one about which a person is asked; returns our id of it. */
  awaitPerson(sdkCallId: string): string | undefined
  /** This and the next two are false where no such call is open. */
  succeed(result: ToolResult): boolean
  fail(error: ToolError): boolean
  deny(sdkCallId: string, reason: string): boolean
  hasAwaited(): boolean
  /** Gives each open call the outcome of a turn that ended before it. */
  close(): void
}

/** `taken` are ids of calls that must not be given to others. */
export function createToolCalls(emit: Emit, executions: Executions, taken: Set<string>): ToolCalls {
  const announced = new Map<string, { readonly toolCallId: string; readonly toolName: string }>()
  const open = new Map<string, OpenCall>()

  /** The SDK's id where it can be ours: some providers count anew in each step, or send an empty id. */
  const ownId = (sdkCallId: string): string => {
    let toolCallId = sdkCallId
    for (let count = taken.size; !isUsable(toolCallId) || taken.has(toolCallId); count += 1) {
      toolCallId = `daybook-call-${count}`
    }
    taken.add(toolCallId)
    return toolCallId
  }

  const end = (
    sdkCallId: string,
    outcome: Pick<ToolResultEvent, 'outcome' | 'result'>,
    providerMetadata?: unknown,
  ): boolean => {
    const ended = open.get(sdkCallId)
    if (ended === undefined) return false
    open.delete(sdkCallId)
    const metadata = withChangedArgs(providerMetadata, ended.changedArgs)
    const rest = withoutUndefined({ durationMs: executions.durationMs(sdkCallId), providerMetadata: metadata })
    emit({ type: 'tool_result', ...ended.call, ...outcome, ...rest }, ended.stepId)
    return true
  }

  const endAsTold = (...told: Parameters<typeof end>): boolean => {
    const ended = end(...told)
    if (ended) executions.forget(told[0])
    return ended
  }

  const close = (sdkCallId: string): void => {
    const mayHaveRun = open.get(sdkCallId)?.call.providerExecuted || executions.began(sdkCallId)
    end(
      sdkCallId,
      mayHaveRun
        ? { outcome: 'unknown', result: 'The turn ended while the tool ran.' }
        : { outcome: 'error', result: 'The tool was not run: the turn ended before.' },
    )
  }

  return {
    announce: (sdkCallId, toolName) => void announced.set(sdkCallId, { toolCallId: ownId(sdkCallId), toolName }),
    appendInput: (sdkCallId, text) => {
      const call = announced.get(sdkCallId)
      if (call !== undefined && text !== '') emit({ type: 'tool_input_delta', ...call, text })
    },
    start: (part, stepId) => {
      const { toolName, providerMetadata } = part
      close(part.toolCallId)
      const toolCallId = announced.get(part.toolCallId)?.toolCallId ?? ownId(part.toolCallId)
      announced.delete(part.toolCallId)
      const call = { toolCallId, toolName, ...(part.providerExecuted && { providerExecuted: true as const }) }
      open.set(part.toolCallId, { call, stepId, awaited: false })
      // Providers take back only objects as arguments: a text that is no JSON is kept inside of one.
      const args =
        part.invalid && typeof part.input !== 'object' ? { unparsed: part.input ?? null } : (part.input ?? null)
      emit({ type: 'tool_start', ...call, args, ...withoutUndefined({ providerMetadata }) })
    },
    resume: ({ toolCallId, toolName, args, changed }) => {
      taken.add(toolCallId)
      const changedArgs = changed ? args : undefined
      open.set(toolCallId, { call: { toolCallId, toolName }, stepId: undefined, awaited: false, changedArgs })
    },
    awaitPerson: (sdkCallId) => {
      const asked = open.get(sdkCallId)
      if (asked !== undefined) asked.awaited = true
      return asked?.call.toolCallId
    },
    succeed: (part) => {
      const result = part.output ?? null
      if (!part.preliminary) return endAsTold(part.toolCallId, { result }, part.providerMetadata)
      const shown = open.get(part.toolCallId)
      if (shown === undefined) return false
      emit({ type: 'tool_result_preview', toolCallId: shown.call.toolCallId, result }, shown.stepId)
      return true
    },
    fail: (part) => endAsTold(part.toolCallId, { outcome: 'error', result: failure(part) }, part.providerMetadata),
    deny: (sdkCallId, reason) => endAsTold(sdkCallId, { outcome: 'denied', result: reason }),
    hasAwaited: () => [...open.values()].some(({ awaited }) => awaited),
    close: () => {
      for (const sdkCallId of open.keys()) close(sdkCallId)
    },
  }
}

/** The message alone, except that a provider's own error is data that it wants back. */
function failure({ error, providerExecuted }: ToolError): unknown {
  return providerExecuted && !(error instanceof Error) ? (error ?? null) : describeError(error).message
}

/** 64 UTF-16 units are at most 192 bytes: an id has at most 200. */
function isUsable(id: string): boolean {
  return id !== '' && id.length <= 64 && id.isWellFormed() && !id.includes('\0')
}
