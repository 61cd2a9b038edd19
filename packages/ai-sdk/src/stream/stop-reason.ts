import type { StopReason } from '@daybook/core/events'
import type { Finish } from './stream-part.ts'

/** What the last step left: calls that someone outside must answer, and calls whose results no model has seen. */
export interface LastStep {
  readonly awaitsAnswer: boolean
  readonly called: boolean
}

/** Why a turn stopped whose stream came to its end, or in `problem` why that end is none. */
export function stopReason(finish: Finish | undefined, step: LastStep): StopReason | { readonly problem: string } {
  switch (finish?.finishReason) {
    case 'length':
      // Anthropic's word for a conversation that the model cannot hold.
      return finish.rawFinishReason === 'model_context_window_exceeded' ? 'context_limit' : 'max_tokens'
    case 'content-filter':
      return 'content_filter'
    case 'error':
      return { problem: 'the model ended with an error' }
    case 'stop':
    case 'tool-calls':
      // The SDK runs tools after these two only; after another reason no one will answer what is open.
      if (step.awaitsAnswer) return 'waiting'
      break
    default:
      // A provider whose connection was cut cleanly ends its stream like this.
      if (finish?.rawFinishReason === undefined)
        return { problem: "the model's stream ended before the model had finished" }
  }
  return step.called ? 'step_limit' : 'end_turn'
}
