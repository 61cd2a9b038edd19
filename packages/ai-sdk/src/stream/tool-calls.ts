import type { ToolResultEvent } from '@daybook/core/events'
import { withoutUndefined } from '../without-undefined.ts'
import { describeError } from './describe-error.ts'
import type { Emit } from './emit.ts'
import type { ToolCall, ToolError, ToolResult } from './stream-part.ts'

/** What was seen of the executions in this process, by the SDK's call id. */
export interface Executions {
  /** Whether the tool began to run. */
  began(sdkCallId: string): boolean
  durationMs(sdkCallId: string): number | undefined
}

interface OpenCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly stepId: string | undefined
  readonly providerExecuted: true | undefined
  /** The answer comes from outside: of a person, or of the program that runs the tool. */
  awaited: boolean
}

/** The tool calls of a turn, by the SDK's call id. Each gets one outcome, in whatever order the results come. */
export interface ToolCalls {
  /** The model begins to write the arguments of a call. */
  announce(sdkCallId: string, toolName: string): void
  appendInput(sdkCallId: string, text: string): void
  start(call: ToolCall, stepId: string | undefined): void
  /** Marks an open call as one that a person must allow; returns our id of it. */
  awaitApproval(sdkCallId: string): string | undefined
  /** This and the next two are false where no such call is open. */
  succeed(result: ToolResult): boolean
  fail(error: ToolError): boolean
  deny(sdkCallId: string, reason: string): boolean
  hasAwaited(): boolean
  /** Gives each open call the outcome of a turn that ended before it. */
  close(): void
}

export function createToolCalls(emit: Emit, executions: Executions): ToolCalls {
  const announced = new Map<string, { readonly toolCallId: string; readonly toolName: string }>()
  const open = new Map<string, OpenCall>()
  const taken = new Set<string>()

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
    metadata?: unknown,
  ): boolean => {
    const call = open.get(sdkCallId)
    if (call === undefined) return false
    open.delete(sdkCallId)
    const { toolCallId, toolName, stepId, providerExecuted } = call
    const durationMs = executions.durationMs(sdkCallId)
    const rest = withoutUndefined({ durationMs, providerExecuted, providerMetadata: metadata })
    emit({ type: 'tool_result', toolCallId, toolName, ...outcome, ...rest }, stepId)
    return true
  }

  const close = (sdkCallId: string): void => {
    const mayHaveRun = open.get(sdkCallId)?.providerExecuted || executions.began(sdkCallId)
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
      const providerExecuted = part.providerExecuted || undefined
      open.set(part.toolCallId, { toolCallId, toolName, stepId, providerExecuted, awaited: !providerExecuted })
      // Providers take back only objects as arguments: a text that is no JSON is kept inside of one.
      const args =
        part.invalid && typeof part.input !== 'object' ? { unparsed: part.input ?? null } : (part.input ?? null)
      emit({
        type: 'tool_start',
        toolCallId,
        toolName,
        args,
        ...withoutUndefined({ providerExecuted, providerMetadata }),
      })
    },
    awaitApproval: (sdkCallId) => {
      const call = open.get(sdkCallId)
      if (call !== undefined) call.awaited = true
      return call?.toolCallId
    },
    succeed: (part) => {
      const result = part.output ?? null
      if (!part.preliminary) return end(part.toolCallId, { result }, part.providerMetadata)
      const call = open.get(part.toolCallId)
      if (call !== undefined) emit({ type: 'tool_result_preview', toolCallId: call.toolCallId, result }, call.stepId)
      return call !== undefined
    },
    fail: (part) => end(part.toolCallId, { outcome: 'error', result: failure(part) }, part.providerMetadata),
    deny: (sdkCallId, reason) => end(sdkCallId, { outcome: 'denied', result: reason }),
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
