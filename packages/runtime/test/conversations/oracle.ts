import { isAnswerable, nextInvocationStep, type RequestRecord, type RunRecord } from '@daybook/core'
import type { InvocationEnding } from '@daybook/core/canonical-runtime-event'
import type { Command, Conversation } from './commands.ts'

/** A session as it is stored before something happens to it. */
export interface Before {
  /** With what the state table makes of it when its process is dead. */
  readonly newest: Pick<RunRecord, 'turnId' | 'state'> | undefined
  readonly ending: InvocationEnding | undefined
  /** What the newest turn asked. */
  readonly requests: readonly RequestRecord[]
  readonly now: number
}

type Answer = Extract<Command, { do: 'answer' }>

/** The code of the error that a call gets; undefined where it is done. */
export function refusalOf(
  command: Exclude<Command, Answer>,
  before: Before,
  { resume }: Pick<Conversation, 'resume'>,
  elsewhere: boolean,
): string | undefined {
  const { newest, requests, now } = before
  const state = newest?.state ?? 'absent'
  switch (command.do) {
    case 'send':
      if (elsewhere) return 'UNKNOWN_BACKEND'
      return codeOf(nextInvocationStep(state, 'send').effect)
    case 'retry':
      if (newest === undefined) return 'NOTHING_TO_CONTINUE'
      return codeOf(nextInvocationStep(state, 'retry_requested').effect) ?? (elsewhere ? 'UNKNOWN_BACKEND' : undefined)
    case 'continue': {
      const { effect } = nextInvocationStep(state, 'continue_requested')
      if (effect !== 'open_continuation') return effect
      if (state === 'failed' && before.ending?.failureCode !== 'app_restarted') return 'NOTHING_TO_CONTINUE'
      if (elsewhere) return 'UNKNOWN_BACKEND'
      if (state === 'waiting') return requests.some((one) => isAnswerable(one, now)) ? 'NOTHING_TO_CONTINUE' : undefined
      return resume === undefined ? 'UNSUPPORTED' : undefined
    }
    default:
      return undefined
  }
}

/** The code that the answer to one of the requests gets. */
export function answerRefusal({ how }: Answer, request: RequestRecord, now: number): string | undefined {
  if (how === 'other kind' || (how === 'change' && request.kind === 'user_question')) return 'INVALID_INPUT'
  if (request.state !== 'open') return 'REQUEST_CLOSED'
  if (how === 'other digest') return 'REQUEST_CHANGED'
  return isAnswerable(request, now) ? undefined : 'REQUEST_EXPIRED'
}

function codeOf(effect: string): string | undefined {
  return effect === 'SESSION_BUSY' ? effect : undefined
}
