export { agentEventsOf, agentEventsOfFailure, agentEventsOfStart } from './map.ts'
export { agentEventNames, agentMessageId } from './names.ts'
export {
  type AgentRun,
  knowsAgUi1,
  type ToldAgent,
  type ToldRequest,
  type ToldRun,
  type ToldSpan,
  untoldRun,
} from './told-run.ts'
export { tellsEveryFact } from './tells-every-fact.ts'
export { setRequestExpiry, trackAgentEvent, trackLostEvent } from './track.ts'
export { reopenTexts, type UnfinishedText, unfinishedTexts } from './unfinished-texts.ts'
