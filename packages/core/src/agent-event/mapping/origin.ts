import { memberPointer } from '../../json/json-pointer.ts'
import { agentEventNames, agentKeyOf } from './names.ts'
import { tell, type Tell, whose } from './tell.ts'
import { knowsAgUi1 } from './told-run.ts'

/** Begins the sub-agents and the step that something comes from, where they are new, and gives the key of its agent. */
export function tellOrigin(
  telling: Tell,
  { agentPath = [], stepId }: { readonly agentPath?: readonly string[]; readonly stepId?: string },
): string {
  const { told } = telling
  const key = agentKeyOf(told.run.runId, agentPath)
  if (!told.agents.has(key)) tellAgents(telling, agentPath)
  const { step, steps } = told.agents.get(key)!
  if (stepId !== undefined && !steps.has(stepId)) {
    if (step !== undefined) tell(telling, { type: 'STEP_FINISHED', stepName: step, ...whose(key) })
    tell(telling, { type: 'STEP_STARTED', stepName: stepId, ...whose(key) })
  }
  return key
}

function tellAgents(telling: Tell, agentPath: readonly string[]): void {
  const { run, agents } = telling.told
  let parent = ''
  let pointer = ''
  for (const name of agentPath) {
    pointer = memberPointer(pointer, name)
    const subagentRunId = run.runId + pointer
    if (!agents.has(subagentRunId)) {
      const begun = { subagentRunId, name, ...(parent !== '' && { parentSubagentRunId: parent }) }
      if (knowsAgUi1(run.protocolVersion)) tell(telling, { type: 'SUBAGENT_STARTED', ...begun })
      else tell(telling, { type: 'CUSTOM', name: agentEventNames.subagentStarted, value: begun })
    }
    parent = subagentRunId
  }
}
