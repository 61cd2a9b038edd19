import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { contentText } from './spans.ts'
import { whose } from './tell.ts'
import type { ToldRequest } from './told-run.ts'

/** A request in AG-UI's form. Its metadata holds what a person decides on, whole. */
export function interruptOf(id: string, { kind, toolCallId, payload, agent, expiresAt }: ToldRequest): JsonObject {
  const isQuestion = kind === 'user_question'
  const call = toolCallId === undefined ? {} : { toolCallId }
  const schema = isQuestion ? {} : { responseSchema: approvalSchema(toolCallId !== undefined) }
  const reason = isQuestion ? 'input_required' : toolCallId === undefined ? 'confirmation' : 'tool_call'
  const expiry = expiresAt === undefined || !isDate(expiresAt) ? {} : { expiresAt: new Date(expiresAt).toISOString() }
  const shown = { message: messageOf(payload), metadata: { daybook: { kind, payload } } }
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
