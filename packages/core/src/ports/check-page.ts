import { InvalidInputError } from '../errors/index.ts'
import { type Check, safeInteger, shape, text } from '../json/check.ts'
import type { UnfinishedRunCursor } from './agent-run-store.ts'
import { defaultPageItems, maxPageItems } from './page.ts'
import type { InvocationCursor, RequestCursor } from './runtime-event-store.ts'
import type { SessionCursor } from './session-store.ts'

/** The limit of a page, the default where there is none. Throws `InvalidInputError` outside 1..`maxPageItems`. */
export function checkPageLimit(limit: number = defaultPageItems): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxPageItems) return limit
  throw new InvalidInputError('limit', `must be an integer from 1 to ${maxPageItems}, not ${String(limit)}`)
}

/** The position that a page starts after, 0 where there is none. Throws `InvalidInputError` for what no page returned. */
export function checkPosition(after: number = 0): number {
  return checkPositionOf('after', after)
}

/** The position that a page ends before, beyond all where there is none. Throws `InvalidInputError` likewise. */
export function checkPositionBefore(before: number = Number.MAX_SAFE_INTEGER): number {
  return checkPositionOf('before', before)
}

function checkPositionOf(field: string, position: number): number {
  if (Number.isSafeInteger(position) && position >= 0) return position
  throw new InvalidInputError(field, `must be a position that a page returned, or 0, not ${String(position)}`)
}

/** Throws `InvalidInputError` for what no page returned. */
export function checkSessionCursor(after: SessionCursor | undefined): SessionCursor | undefined {
  return checkCursor('after', after, shape({ createdAt: safeInteger, id: text }))
}

/** Throws `InvalidInputError` for what no page returned. */
export function checkInvocationCursor(before: InvocationCursor | undefined): InvocationCursor | undefined {
  return checkCursor('before', before, shape({ openedAt: safeInteger, invocationId: text }))
}

/** Throws `InvalidInputError` for what no page returned. */
export function checkUnfinishedRunCursor(after: UnfinishedRunCursor | undefined): UnfinishedRunCursor | undefined {
  return checkCursor('after', after, shape({ sessionId: text, runId: text }))
}

/** Throws `InvalidInputError` for what no page returned. */
export function checkRequestCursor(after: RequestCursor | undefined): RequestCursor | undefined {
  return checkCursor('after', after, shape({ requestedAt: safeInteger, sessionId: text, requestId: text }))
}

function checkCursor<Cursor>(field: string, cursor: Cursor | undefined, check: Check): Cursor | undefined {
  const fault = cursor === undefined ? undefined : check(cursor, false)
  if (fault === undefined) return cursor
  throw new InvalidInputError(`${field}${fault.path.replaceAll('/', '.')}`, fault.problem)
}
