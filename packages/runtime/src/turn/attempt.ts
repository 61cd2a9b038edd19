import type { AgentRunStore, RunRecord } from '@daybook/core'

/** The runs of an attempt at a turn up to this one, oldest first: each goes on from the one before. */
export async function attemptUpTo(run: RunRecord, runStore: AgentRunStore): Promise<[RunRecord, ...RunRecord[]]> {
  const newestFirst: [RunRecord, ...RunRecord[]] = [run]
  if (run.source.kind !== 'continuation') return newestFirst
  const ofTurn = await runStore.listTurnRuns(run.sessionId, run.turnId)
  const runs = new Map(ofTurn.map((one) => [one.invocationId, one]))
  for (let { source } = newestFirst[0]; source.kind === 'continuation';) {
    // What is not exclusive is no run of the conversation, and not listed.
    const earlier = runs.get(source.of) ?? (await runStore.readRunOfInvocation(source.of))
    if (earlier === undefined) break
    newestFirst.push(earlier)
    source = earlier.source
  }
  return newestFirst.toReversed() as [RunRecord, ...RunRecord[]]
}
