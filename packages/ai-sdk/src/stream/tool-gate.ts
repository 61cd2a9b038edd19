import type { Executions } from './tool-calls.ts'

/**
 * Holds each tool back until its call is in the ledger. The SDK reads ahead of its consumer: it would run a tool whose
 * call no one has recorded, and after a crash no one could know of it. A call whose turn ends first is held back for
 * good: its tool does not run.
 */
export interface ToolGate extends Executions {
  /** The call was committed. */
  open(sdkCallId: string): void
  /** What the SDK calls around an execution, under the names of both majors. */
  readonly callbacks: Readonly<Record<string, (event: ExecutionEvent) => Promise<void> | void>>
}

interface ExecutionEvent {
  readonly toolCall: { readonly toolCallId: string }
  /** At its end in `ai` 7. */
  readonly toolExecutionMs?: number
  /** At its end in `ai` 6. */
  readonly durationMs?: number
}

export function createToolGate(): ToolGate {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const begun = new Set<string>()
  const durations = new Map<string, number>()

  const gateOf = (sdkCallId: string): PromiseWithResolvers<void> => {
    const gate = gates.get(sdkCallId) ?? Promise.withResolvers()
    gates.set(sdkCallId, gate)
    return gate
  }
  const onStart = async ({ toolCall }: ExecutionEvent): Promise<void> => {
    await gateOf(toolCall.toolCallId).promise
    begun.add(toolCall.toolCallId)
  }
  const onEnd = ({ toolCall, toolExecutionMs, durationMs }: ExecutionEvent): void => {
    const took = toolExecutionMs ?? durationMs
    if (took !== undefined) durations.set(toolCall.toolCallId, Math.round(took))
  }

  return {
    open: (sdkCallId) => gateOf(sdkCallId).resolve(),
    began: (sdkCallId) => begun.has(sdkCallId),
    durationMs: (sdkCallId) => durations.get(sdkCallId),
    callbacks: {
      onToolExecutionStart: onStart,
      experimental_onToolCallStart: onStart,
      onToolExecutionEnd: onEnd,
      experimental_onToolCallFinish: onEnd,
    },
  }
}
