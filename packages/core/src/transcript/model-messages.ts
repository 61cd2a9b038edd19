import type { StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { plainPart } from './parts.ts'
import { isBlank, partsOfStep } from './step-parts.ts'
import { stepsOf } from './steps.ts'
import type { ModelMessage } from './model-message.ts'
import { type Turn, type TurnInvocation, turnsOf } from './turns.ts'

type Role = ModelMessage['role']
type Part = ModelMessage['parts'][number]

interface Draft {
  readonly role: Role
  readonly parts: Part[]
  readonly callIds: Set<string>
}

/**
 * The conversation of one session as the next model call is given it, in a form that strict providers accept. What
 * follows a message of its own role joins it, save where that message would have two calls with one id.
 * The events may come in any order.
 */
export function modelMessagesFromEvents(
  events: readonly StoredRuntimeEvent[],
  inherited: readonly (readonly StoredRuntimeEvent[])[] = [],
): ModelMessage[] {
  return messagesOf(turnsOf(events, inherited))
}

/**
 * What an invocation, whose opening is among the events, is given: all that was said before its turn. A continuation is
 * given its turn so far as well; there a call that it has yet to run has a result that says it is not known.
 */
export function modelMessagesBefore(
  invocationId: string,
  events: readonly StoredRuntimeEvent[],
  inherited: readonly (readonly StoredRuntimeEvent[])[] = [],
): ModelMessage[] {
  const turns = turnsOf(events, inherited)
  const isOwn = ({ opening }: TurnInvocation): boolean => opening.invocationId === invocationId
  const index = turns.findIndex(({ invocations }) => invocations.some(isOwn))
  if (index === -1) return messagesOf(turns)
  const [first] = turns[index]!.invocations
  return messagesOf(turns.slice(0, isOwn(first) ? index : index + 1))
}

function messagesOf(turns: readonly Turn[]): ModelMessage[] {
  const drafts: Draft[] = []
  for (const turn of turns) {
    if (turn.isSubAgent) continue
    for (const block of stepsOf(turn)) {
      if (block.type === 'user') {
        if (!isBlank(block.content.text)) add(drafts, 'user', [plainPart(block.content)])
      } else {
        const { said, results } = partsOfStep(block)
        add(drafts, 'assistant', said)
        add(drafts, 'tool', results)
      }
    }
  }
  return drafts.map(({ role, parts }) => ({ role, parts }) as ModelMessage)
}

function add(drafts: Draft[], role: Role, parts: readonly Part[]): void {
  if (parts.length === 0) return
  const callIds = parts.flatMap((part) => (part.type === 'tool_call' ? part.toolCallId : []))
  let draft = drafts.at(-1)
  if (draft?.role !== role || callIds.some((id) => draft?.callIds.has(id))) {
    draft = { role, parts: [], callIds: new Set() }
    drafts.push(draft)
  }
  for (const part of parts) draft.parts.push(part)
  for (const id of callIds) draft.callIds.add(id)
}
