import type { ToolCall } from './stream-part.ts'
import type { Executions } from './tool-calls.ts'

/**
 * Holds each tool back until its call is in the ledger. The SDK reads ahead of its consumer: it would run a tool whose
 * call no one has recorded, and after a crash no one could know of it. A call whose turn ends first is held back for
 * good: its tool does not run.
 */
export interface ToolGate extends Executions {
  /** The call was committed. */
  open(call: ToolCall): void
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

/** Of one call id. Providers use an id again, even in one step: each call lets one execution pass. */
interface Gate {
  passes: number
  readonly waiting: (() => void)[]
}

export function createToolGate(): ToolGate {
  const gates = new Map<string, Gate>()
  const begun = new Set<string>()
  const durations = new Map<string, number>()

  const gateOf = (sdkCallId: string): Gate => {
    const gate = gates.get(sdkCallId) ?? { passes: 0, waiting: [] }
    gates.set(sdkCallId, gate)
    return gate
  }
  const onStart = async ({ toolCall }: ExecutionEvent): Promise<void> => {
    const gate = gateOf(toolCall.toolCallId)
    if (gate.passes > 0) gate.passes -= 1
    else await new Promise<void>((resolve) => gate.waiting.push(resolve))
    begun.add(toolCall.toolCallId)
  }
  const onEnd = ({ toolCall, toolExecutionMs, durationMs }: ExecutionEvent): void => {
    const took = toolExecutionMs ?? durationMs
    if (took !== undefined) durations.set(toolCall.toolCallId, Math.round(took))
  }

  return {
    open: ({ toolCallId, invalid, providerExecuted }) => {
      // Nothing runs here for these: a pass would be taken by the next call of the id.
      if (invalid || providerExecuted) return
      const gate = gateOf(toolCallId)
      const pass = gate.waiting.shift()
      if (pass === undefined) gate.passes += 1
      else pass()
    },
    began: (sdkCallId) => begun.has(sdkCallId),
    durationMs: (sdkCallId) => durations.get(sdkCallId),
    forget: (sdkCallId) => {
      durations.delete(sdkCallId)
      const gate = gateOf(sdkCallId)
      // A call that was refused took no pass: the next one must not find it.
      if (!begun.delete(sdkCallId) && gate.passes > 0) gate.passes -= 1
    },
    callbacks: {
      onToolExecutionStart: onStart,
      experimental_onToolCallStart: onStart,
      onToolExecutionEnd: onEnd,
      experimental_onToolCallFinish: onEnd,
    },
  }
}
