import type { StopReason } from '../../runtime-event/actions.ts'
import { firstThatFit } from './fit.ts'
import { interruptsOf } from './interrupt.ts'
import { agentEventNames } from './names.ts'
import { closeSpans } from './spans.ts'
import { tell, type Tell } from './tell.ts'
import { knowsAgUi1, type ToldRun } from './told-run.ts'

/** How a run ends, in AG-UI's words. */
export type AgentRunEnding =
  | { readonly kind: 'finished'; readonly stopReason: StopReason }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'cancelled'; readonly source?: string | undefined }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string }

/** Ends what is open, then the run. */
export function tellEnding(telling: Tell, ending: AgentRunEnding): void {
  const { told } = telling
  closeSpans(telling)
  closeAgents(telling, ending)
  const { threadId, runId } = told.run
  const usage = told.usage === undefined ? {} : { usage: [{ ...told.usage }] }
  if (ending.kind === 'failed' || (ending.kind === 'cancelled' && !knowsAgUi1(told.run.protocolVersion))) {
    tell(telling, { type: 'RUN_ERROR', ...failureOf(ending), ...usage })
  } else {
    tell(telling, { type: 'RUN_FINISHED', threadId, runId, ...outcomeOf(told, ending), ...usage })
  }
}

function failureOf(ending: AgentRunEnding & { kind: 'failed' | 'cancelled' }): { message: string; code: string } {
  if (ending.kind === 'cancelled') return { message: 'The run was stopped.', code: 'CANCELLED' }
  return { message: ending.message, code: ending.code }
}

function outcomeOf(told: ToldRun, ending: Exclude<AgentRunEnding, { kind: 'failed' }>) {
  switch (ending.kind) {
    case 'finished':
      return { outcome: { type: 'success' }, result: { stopReason: ending.stopReason } }
    case 'waiting': {
      const interrupts = interruptsOf([...told.requests].filter(([, { isOpen }]) => isOpen))
      const outcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' }
      return { outcome, result: { stopReason: 'waiting' } }
    }
    case 'cancelled': {
      const source = ending.source === undefined ? {} : { abortSource: ending.source }
      return { outcome: { type: 'cancelled' }, result: { stopReason: 'user_stop', ...source } }
    }
  }
}

/** The innermost first. */
function closeAgents(telling: Tell, ending: AgentRunEnding): void {
  const { run, agents, requests } = telling.told
  for (const [subagentRunId, { isOpen, path }] of [...agents].reverse()) {
    if (!isOpen || path.length === 0) continue
    const isError = ending.kind === 'failed' || ending.kind === 'cancelled'
    const asked = [...requests].filter(([, { isOpen, agent }]) => isOpen && agent === subagentRunId)
    const interruptIds = firstThatFit(asked.map(([id]) => id))
    const waitsFor = interruptIds.length === 0 ? {} : { interruptIds }
    const outcome = ending.kind === 'waiting' ? { type: 'suspended', ...waitsFor } : { type: 'success' }
    const said = { subagentRunId, ...(isError ? failureOf(ending) : { outcome }) }
    const [type, name] = isError
      ? (['SUBAGENT_ERROR', agentEventNames.subagentError] as const)
      : (['SUBAGENT_FINISHED', agentEventNames.subagentFinished] as const)
    tell(telling, knowsAgUi1(run.protocolVersion) ? { type, ...said } : { type: 'CUSTOM', name, value: said })
  }
}
