import { withoutUndefined } from '../without-undefined.ts'
import { hideSecrets } from './hide-secrets.ts'

/**
 * The message of a failure, without what looks like a key in it, and the HTTP status or the name of the error as its
 * code. Nothing else of the error is read: the errors of providers hold request headers, with the key, and whole bodies.
 */
export function describeError(error: unknown): { message: string; code?: string } {
  const { message, name, statusCode, lastError } = fieldsOf(error)
  const status = statusCode ?? fieldsOf(lastError).statusCode
  const code =
    typeof status === 'number' ? `http_${status}` : typeof name === 'string' && name !== 'Error' ? name : undefined
  return {
    message: hideSecrets(messageOf(message) ?? messageOf(error) ?? 'it failed without a message'),
    ...withoutUndefined({ code }),
  }
}

function messageOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function fieldsOf(value: unknown): { message?: unknown; name?: unknown; statusCode?: unknown; lastError?: unknown } {
  return typeof value === 'object' && value !== null ? value : {}
}
