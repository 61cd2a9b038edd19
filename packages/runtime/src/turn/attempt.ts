import type { AgentRunStore, RunRecord } from '@daybook/core'

/** The runs of an attempt at a turn up to this one, oldest first: each goes on from the one before. */
export async function attemptUpTo(run: RunRecord, runStore: AgentRunStore): Promise<[RunRecord, ...RunRecord[]]> {
  const newestFirst: [RunRecord, ...RunRecord[]] = [run]
  for (let { source } = run; source.kind === 'continuation';) {
    const earlier = await runStore.readRunOfInvocation(source.of)
    if (earlier === undefined) break
    newestFirst.push(earlier)
    source = earlier.source
  }
  return newestFirst.toReversed() as [RunRecord, ...RunRecord[]]
}
