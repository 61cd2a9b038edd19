import { outcomeOf } from './entries.ts'
import { callPart, type PlainContent, plainPart, resultPart } from './parts.ts'
import type { Step } from './steps.ts'
import type { ModelMessage, ToolResultPart } from './model-message.ts'

export type AssistantPart = Extract<ModelMessage, { role: 'assistant' }>['parts'][number]

export interface StepParts {
  /** For the assistant message, without what providers refuse in one. */
  readonly said: AssistantPart[]
  /** For the tool message that follows it: one for each call in `said` that the provider did not run itself. */
  readonly results: ToolResultPart[]
}

/**
 * What a step tells the next model call. Left out is what providers refuse: blank text, thinking that was cut off
 * unsigned or that nothing follows, and calls of the provider's own tools that it never answered.
 */
export function partsOfStep({ entries }: Step): StepParts {
  const said: AssistantPart[] = []
  const results: ToolResultPart[] = []
  for (const entry of entries) {
    if (entry.type === 'plain') {
      if (isAccepted(entry.content)) said.push(plainPart(entry.content))
    } else {
      const call = callPart(entry.content)
      const shown = entry.response?.event.modelVisibility === 'visible' ? entry.response.content : undefined
      const result = resultPart(entry.content, outcomeOf(entry), shown)
      if (call.providerExecuted !== true) {
        said.push(call)
        results.push(result)
      } else if (result.outcome !== 'unknown' && result.outcome !== 'not_answered') {
        said.push(call, result)
      }
    }
  }
  while (said.at(-1)?.type === 'thinking') said.pop()
  return { said, results }
}

type Speech = Exclude<PlainContent, { kind: 'source' | 'error' }>

function isAccepted(content: PlainContent): content is Speech {
  switch (content.kind) {
    case 'text':
      return !isBlank(content.text)
    case 'thinking':
      return content.providerMetadata !== undefined || (content.interrupted !== true && !isBlank(content.text))
    case 'file':
      return true
    case 'source':
    case 'error':
      return false
  }
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}
