import { InvalidInputError } from '../errors/index.ts'
import { type Check, id, oneOf, shape } from '../json/check.ts'
import type { SessionFilter, SessionRecord } from '../ports/session-store.ts'
import { labelText } from '../ledger/check-session.ts'

/**
 * One of the listings that a session stands in: every filter asks for exactly one. What does not restrict a listing is
 * `any` or empty.
 */
export interface SessionListing {
  readonly archived: 'yes' | 'no' | 'any'
  readonly label: string
  readonly parentSessionId: string
}

const sessionFilter = shape({}, {
  archived: oneOf<boolean | 'any'>(true, false, 'any'),
  label: labelText,
  parentSessionId: id,
} satisfies Record<keyof SessionFilter, Check>)

/** The listing that a filter asks for. Throws `InvalidInputError`. */
export function listingOf(filter: SessionFilter = {}): SessionListing {
  const fault = sessionFilter(filter, false)
  if (fault !== undefined) throw new InvalidInputError(`filter${fault.path.replaceAll('/', '.')}`, fault.problem)
  const { archived = false, label = '', parentSessionId = '' } = filter
  return { archived: archived === 'any' ? archived : archived ? 'yes' : 'no', label, parentSessionId }
}

/** Every listing that the session stands in. */
export function listingsOf({ archivedAt, labels, parentSessionId }: SessionRecord): readonly SessionListing[] {
  const parents = parentSessionId === null ? [''] : ['', parentSessionId]
  return (['any', archivedAt === null ? 'no' : 'yes'] as const).flatMap((archived) =>
    ['', ...labels].flatMap((label) => parents.map((parent) => ({ archived, label, parentSessionId: parent }))),
  )
}
