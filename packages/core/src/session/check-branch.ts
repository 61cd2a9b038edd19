import { InvalidInputError, SessionNotFoundError } from '../errors/index.ts'
import type { SessionRecord } from '../ports/session-store.ts'

/** What a store knows of the parent that a new branch names. */
export interface BranchParent {
  readonly tenant: string | null
  /** The highest `sessionSeq` of its own events, 0 where there are none. */
  readonly head: number
}

/**
 * Throws `SessionNotFoundError` where the parent is not in the tenant of the branch, and `InvalidInputError` for a position
 * that the parent has not reached.
 */
export function checkBranch(
  { tenant, parentSessionId, parentSessionSeq }: SessionRecord,
  findParent: (sessionId: string) => BranchParent | undefined,
): void {
  if (parentSessionId === null) return
  const parent = findParent(parentSessionId)
  if (parent === undefined || parent.tenant !== tenant) throw new SessionNotFoundError(parentSessionId)
  if (parentSessionSeq !== null && parentSessionSeq <= parent.head) return
  throw new InvalidInputError(
    'parentSessionSeq',
    `must be a position of session "${parentSessionId}", 0 to ${parent.head}, not ${parentSessionSeq}`,
  )
}
