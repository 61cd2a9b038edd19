import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { firstThatFit } from './fit.ts'
import { contentText } from './spans.ts'
import { whose } from './tell.ts'
import type { ToldRequest } from './told-run.ts'

type Asked = readonly [id: string, request: ToldRequest]

/**
 * Requests in AG-UI's form. Their metadata holds what a person decides on, whole; of none where an event cannot hold all:
 * then it has to be read from the ledger.
 */
export function interruptsOf(asked: readonly Asked[]): readonly JsonObject[] {
  const whole = asked.map((one) => interruptOf(one, true))
  if (firstThatFit(whole).length === whole.length) return whole
  return firstThatFit(asked.map((one) => interruptOf(one, false)))
}

function interruptOf([id, request]: Asked, isWhole: boolean): JsonObject {
  const { kind, toolCallId, payload, agent, expiresAt } = request
  const isQuestion = kind === 'user_question'
  const call = toolCallId === undefined ? {} : { toolCallId }
  const schema = isQuestion ? {} : { responseSchema: approvalSchema(toolCallId !== undefined) }
  const reason = isQuestion ? 'input_required' : toolCallId === undefined ? 'confirmation' : 'tool_call'
  const expiry = expiresAt === undefined || !isDate(expiresAt) ? {} : { expiresAt: new Date(expiresAt).toISOString() }
  const shown = isWhole
    ? { message: messageOf(payload), metadata: { daybook: { kind, payload } } }
    : { metadata: { daybook: { kind } } }
  return { id, reason, ...shown, ...call, ...schema, ...expiry, ...whose(agent) }
}

/** Some safe integers are later than any date. */
function isDate(time: number): boolean {
  return !Number.isNaN(new Date(time).getTime())
}

function approvalSchema(mayEditArgs: boolean): JsonObject {
  const properties = { approved: { type: 'boolean' }, reason: { type: 'string' } }
  const edited = { editedArgs: { description: 'The arguments to run with, in place of those that were asked for.' } }
  return { type: 'object', properties: { ...properties, ...(mayEditArgs && edited) }, required: ['approved'] }
}

/** The most of a message that has no text of its own, in UTF-16 units. */
const maxMessageLength = 1000

function messageOf(payload: JsonValue): string {
  for (const name of ['message', 'question', 'text']) {
    const said = isObject(payload) ? payload[name] : undefined
    if (typeof said === 'string') return said
  }
  return typeof payload === 'string' ? payload : contentText(payload).slice(0, maxMessageLength).toWellFormed()
}
