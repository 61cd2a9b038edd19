import { createHash } from 'node:crypto'
import {
  checkId,
  encodeCanonicalJson,
  InvalidInputError,
  type NewId,
  PayloadTooLargeError,
  utf8Length,
} from '@daybook/core'
import { maxEventBytes } from '@daybook/core/canonical-runtime-event'
import { checkProtocolVersion, type DeclaredProtocol } from './protocol-version.ts'

export interface TurnMessage extends DeclaredProtocol {
  readonly text: string
  /**
   * Names the turn, so that a repeated call is noticed: it then throws `TurnExistsError`, which tells the run and whether
   * the text was the same. Default a new id, and every call is a turn of its own.
   */
  readonly turnId?: string
}

export interface CheckedMessage {
  readonly turnId: string
  readonly text: string
  /** SHA-256 of the input in lower-case hex. */
  readonly inputDigest: string
  readonly protocolVersion: string | undefined
}

/** Room in the event of the user's text for its ids. */
const maxTextBytes = maxEventBytes - 8192

/** Throws `InvalidInputError`, `InvalidIdError` or `PayloadTooLargeError`. */
export function checkMessage(message: TurnMessage, newId: NewId): CheckedMessage {
  if (typeof message !== 'object' || message === null) {
    throw new InvalidInputError('message', "must be an object with a text, such as { text: 'Hello' }")
  }
  const { text, turnId: givenId = newId() } = message
  if (typeof text !== 'string') throw new InvalidInputError('text', 'must be a string')
  if (text.trim() === '') throw new InvalidInputError('text', 'must not be empty')
  if (!text.isWellFormed()) throw new InvalidInputError('text', 'has a lone surrogate')
  const bytes = utf8Length(JSON.stringify(text))
  if (bytes > maxTextBytes) throw new PayloadTooLargeError('text', bytes, maxTextBytes)
  const turnId = checkId('turnId', givenId)
  const inputDigest = createHash('sha256').update(encodeCanonicalJson({ text })).digest('hex')
  return { turnId, text, inputDigest, protocolVersion: checkProtocolVersion(message.protocolVersion) }
}
