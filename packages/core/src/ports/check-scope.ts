import { InvalidInputError } from '../errors/index.ts'
import { isObject } from '../json/check.ts'
import { idProblem } from '../json/id.ts'
import type { SessionScope } from './session-store.ts'

/** Throws `InvalidInputError` where there is no scope, so that a forgotten one never means other people's sessions. */
export function checkScope(scope: SessionScope | undefined): SessionScope {
  if (!isObject(scope)) {
    throw new InvalidInputError('scope', 'is missing: give { tenant }, null for the sessions without a tenant')
  }
  const problem = scope.tenant === null ? undefined : idProblem(scope.tenant)
  if (problem !== undefined) throw new InvalidInputError('scope.tenant', `${problem}, or be null`)
  return scope
}
