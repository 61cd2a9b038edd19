import { InvalidInputError, type RunRecord } from '@daybook/core'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { attemptUpTo } from './attempt.ts'

/** What a client of a turn declares. */
export interface DeclaredProtocol {
  /**
   * The version of AG-UI that the client declared, such as `1.0`: before that a run that is stopped is an error. Default,
   * where a turn is tried again or gone on with, what the run before declared; else older than 1.0.
   */
  readonly protocolVersion?: string | undefined
}

/** Throws `InvalidInputError` for what is no version. */
export function checkProtocolVersion(version: string | undefined): string | undefined {
  if (version === undefined || (typeof version === 'string' && /^\d{1,9}(\.\d{1,9}){0,3}$/.test(version)))
    return version
  throw new InvalidInputError('protocolVersion', 'must be a version, such as 1.0')
}

/** What was declared for a run, or, where nobody could follow it, for the one that it goes on from. */
export async function declaredVersion(
  run: RunRecord,
  { agentEvents, runStore }: Pick<RuntimeContext, 'agentEvents' | 'runStore'>,
): Promise<string | undefined> {
  for (const { runId } of (await attemptUpTo(run, runStore)).toReversed()) {
    const header = await agentEvents?.store.readHeader(runId)
    if (header !== undefined) return header.protocolVersion
  }
  return undefined
}
