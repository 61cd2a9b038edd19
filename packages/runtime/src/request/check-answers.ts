import { checkId, encodeCanonicalJson, InvalidInputError, type JsonValue, sha256Pattern } from '@daybook/core'
import type { AnswerAction } from '@daybook/core/canonical-runtime-event'

/** An answer to what was asked. `digest` is that of the request as it was shown. */
export type RequestAnswer = { readonly requestId: string; readonly digest: string } & (
  | {
      readonly decision: 'approved'
      /** The arguments to run the call with, in place of those that were asked for. */
      readonly args?: JsonValue
      readonly reason?: string
    }
  | { readonly decision: 'denied'; readonly reason?: string }
  /** To a question; where a call waits for it, its result. */
  | { readonly answer: JsonValue }
)

/** The facts of the answers. Throws `InvalidInputError`, `InvalidIdError` and `NotCanonicalError`. */
export function checkAnswers(answers: readonly RequestAnswer[], by: string | undefined): AnswerAction[] {
  if (!Array.isArray(answers) || answers.length === 0) throw new InvalidInputError('answers', 'must have an answer')
  if (by !== undefined) checkText('by', by)
  const seen = new Set<string>()
  return Array.from(answers, (answer: unknown, index) => {
    const field = `answers[${index}]`
    const action = answerAction(answer, field)
    if (seen.has(action.requestId)) throw new InvalidInputError(`${field}.requestId`, 'is answered twice')
    seen.add(action.requestId)
    return { ...action, ...(by !== undefined && { by }) }
  })
}

function answerAction(given: unknown, field: string): AnswerAction {
  if (typeof given !== 'object' || given === null) throw new InvalidInputError(field, 'must be an object')
  const { requestId, digest, decision, args, reason, answer } = given as Record<string, unknown>
  const base = {
    requestId: checkId(`${field}.requestId`, requestId as string),
    requestDigest: checkDigest(`${field}.digest`, digest),
    ...(reason !== undefined && { reason: checkText(`${field}.reason`, reason) }),
  }
  if ((decision === undefined) === (answer === undefined)) {
    throw new InvalidInputError(field, 'must have either a decision or an answer')
  }
  if (answer !== undefined) return { ...base, outcome: 'answered', answer: json(answer) }
  if (decision !== 'approved' && decision !== 'denied') {
    throw new InvalidInputError(`${field}.decision`, 'must be approved or denied')
  }
  if (args === undefined) return { ...base, outcome: decision }
  if (decision === 'denied') throw new InvalidInputError(`${field}.args`, 'come with approved only')
  return { ...base, outcome: decision, args: json(args) }
}

function json(value: unknown): JsonValue {
  return JSON.parse(encodeCanonicalJson(value)) as JsonValue
}

function checkDigest(field: string, value: unknown): string {
  if (typeof value === 'string' && sha256Pattern.test(value)) return value
  throw new InvalidInputError(field, 'must be the digest of the request as it was shown')
}

function checkText(field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.isWellFormed()) return value
  throw new InvalidInputError(field, 'must be a text, not empty and without lone surrogates')
}
