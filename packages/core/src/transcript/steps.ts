import { type CallEntry, entriesOf, type PlainEntry, type UserEntry } from './entries.ts'
import type { Turn, TurnInvocation } from './turns.ts'

/** What one model call said: one assistant message, with the tool message that answers its calls. */
export interface Step {
  readonly type: 'step'
  readonly entries: (PlainEntry | CallEntry)[]
  readonly callIds: Set<string>
}

/**
 * What the model may see of a turn, cut into what the user said and what each model call said. Facts with the same
 * `stepId` are one step. Facts without one are a step until another begins: the user speaks, a fact with a `stepId`
 * comes, or a call of the step has its response. No step has two calls with the same id, and none spans invocations.
 */
export function stepsOf(turn: Turn): (UserEntry | Step)[] {
  const blocks: (UserEntry | Step)[] = []
  const steps = new Map<string | undefined, Step>()
  let invocation: TurnInvocation | undefined
  for (const entry of entriesOf(turn)) {
    if (entry.invocation !== invocation) steps.clear()
    invocation = entry.invocation
    if (entry.type === 'response') {
      if (steps.get(undefined)?.callIds.has(entry.content.toolCallId)) steps.delete(undefined)
      continue
    }
    if (entry.event.modelVisibility !== 'visible') continue
    if (entry.type === 'user') {
      steps.delete(undefined)
      blocks.push(entry)
      continue
    }
    const stepId = entry.event.refs?.stepId
    const callId = entry.type === 'call' ? entry.content.toolCallId : undefined
    let step = steps.get(stepId)
    if (step === undefined || (callId !== undefined && step.callIds.has(callId))) {
      step = { type: 'step', entries: [], callIds: new Set() }
      steps.delete(undefined)
      steps.set(stepId, step)
      blocks.push(step)
    }
    step.entries.push(entry)
    if (callId !== undefined) step.callIds.add(callId)
  }
  return blocks
}
