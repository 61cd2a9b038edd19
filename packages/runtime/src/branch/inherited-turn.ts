import { type SessionRecord, TurnExistsError } from '@daybook/core'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { firstSeq } from './first-seq.ts'
import { parentsOf } from './inherited-events.ts'

/** Throws `TurnExistsError` where a branch shows a turn of this id already: with a second one, nobody could tell which is meant. */
export async function refuseInheritedTurn(
  session: SessionRecord,
  { turnId, inputDigest }: { readonly turnId: string; readonly inputDigest: string },
  context: RuntimeContext,
): Promise<void> {
  for await (const { parent, upTo } of parentsOf(session, context.store)) {
    const [run] = await context.runStore.listTurnRuns(parent.id, turnId)
    if (run === undefined || (await firstSeq(run, context)) > upTo) continue
    const { sessionId, runId, state } = run
    throw new TurnExistsError({ sessionId, turnId, runId, state, sameInput: run.inputDigest === inputDigest })
  }
}
