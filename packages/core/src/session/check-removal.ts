import { InvalidInputError, SessionBusyError, SessionHasBranchesError } from '../errors/index.ts'

/** What a store knows of the sessions that a removal is about. */
export interface RemovalState {
  /** Ids of the session and of all that branch off from it, however far. */
  subtree(): readonly string[]
  countBranches(): number
  findUnfinishedRun(sessionId: string): { readonly runId: string; readonly turnId: string } | undefined
}

/** Whether branches go with the session. Throws `InvalidInputError`. */
export function checkRemoval(options: { readonly branches?: 'remove' } | undefined): boolean {
  const branches: unknown = options?.branches
  if (branches === undefined || branches === 'remove') return branches !== undefined
  throw new InvalidInputError('branches', 'must be "remove", or left out')
}

/** The ids of what goes. Throws `SessionBusyError`, then `SessionHasBranchesError` unless the branches go too. */
export function planRemoval(sessionId: string, withBranches: boolean, state: RemovalState): readonly string[] {
  const ids = withBranches ? state.subtree() : [sessionId]
  for (const id of ids) {
    const run = state.findUnfinishedRun(id)
    if (run !== undefined) throw new SessionBusyError(id, run.runId, run.turnId)
  }
  const branches = withBranches ? 0 : state.countBranches()
  if (branches > 0) throw new SessionHasBranchesError(sessionId, branches)
  return ids
}
