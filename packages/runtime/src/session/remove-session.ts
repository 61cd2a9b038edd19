import { InvalidInputError, type SessionScope } from '@daybook/core'
import type { RuntimeContext } from './runtime-context.ts'

export interface RemoveSessionOptions {
  /** Removes the branches of the session with it, and theirs. Default: a session with branches is refused. */
  readonly branches?: 'remove'
}

export async function removeSession(
  sessionId: string,
  options: RemoveSessionOptions,
  scope: SessionScope,
  { store, recovery, backends }: RuntimeContext,
): Promise<boolean> {
  checkFields(options)
  const isRemoved = await recovery.unlessBusy(sessionId, () => store.remove(sessionId, scope, options))
  if (isRemoved) await backends.remove(sessionId)
  return isRemoved
}

/** A scope in the place of the options would be one that is not asked. */
function checkFields(options: RemoveSessionOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (name === 'branches' && (value === undefined || value === 'remove')) continue
    const problem = name === 'branches' ? 'must be remove' : 'is no option: { branches }, then the scope'
    throw new InvalidInputError(`options.${name}`, problem)
  }
}
