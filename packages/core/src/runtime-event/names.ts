import { arrayOf, type Check, id, shape, shortText } from '../json/check.ts'

// The events that close a text or a call repeat these: as they are short, what is open can always be closed.

export const toolName: Check = shortText(1000)
export const agentPath: Check = arrayOf(shortText(200), 32)
/** The model call and the sub-agents that something came from. */
export const origin: Check = shape({}, { stepId: id, agentPath })
