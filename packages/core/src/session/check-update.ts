import { InvalidInputError } from '../errors/index.ts'
import { boolean, type Check, counter, shape } from '../json/check.ts'
import { checkId } from '../json/id.ts'
import { changeableFields } from '../ledger/check-session.ts'
import type { SessionChanges, UpdateSessionRequest } from '../ports/session-store.ts'

/** What a call asks for, checked as far as that can be done without the session. */
export interface SessionUpdate {
  readonly changes: SessionChanges
  readonly by: string | null
  readonly expectedRevision: number | undefined
}

const sessionChanges = shape({}, {
  ...changeableFields,
  archived: boolean,
} satisfies Record<keyof SessionChanges, Check>)

/** Throws `InvalidInputError` for what no session could take, and `InvalidIdError` for who changes it. */
export function checkUpdate({ changes, by, expectedRevision }: UpdateSessionRequest): SessionUpdate {
  const fault = sessionChanges(changes, false)
  if (fault !== undefined) {
    throw new InvalidInputError(`changes${fault.path.replaceAll('/', '.')}`, fault.problem)
  }
  if (Object.values(changes).every((value) => value === undefined)) {
    throw new InvalidInputError('changes', `must name one or more of ${sessionChanges.fields.join(', ')}`)
  }
  const revisionFault = expectedRevision === undefined ? undefined : counter(expectedRevision, false)
  if (revisionFault !== undefined) throw new InvalidInputError('expectedRevision', revisionFault.problem)
  return { changes, by: by === undefined ? null : checkId('by', by), expectedRevision }
}
