import { planRemoval } from '@daybook/core'
import { removeLogsOfThread } from '../agent-events/logs.ts'
import { type MemoryLedger, rowsOf, runsOf } from '../ledger.ts'

/** See `SessionStore.remove`; the session exists. */
export function remove(ledger: MemoryLedger, sessionId: string, withBranches: boolean): void {
  const branches = branchesByParent(ledger)
  const ids = planRemoval(sessionId, withBranches, {
    subtree() {
      const found = [sessionId]
      for (const id of found) found.push(...(branches.get(id) ?? []))
      return found
    },
    countBranches: () => branches.get(sessionId)?.length ?? 0,
    findUnfinishedRun: (id) => runsOf(ledger, id).find((run) => run.finishedAt === null),
  })
  for (const id of ids) removeOne(ledger, id)
}

function branchesByParent(ledger: MemoryLedger): ReadonlyMap<string, readonly string[]> {
  const branches = new Map<string, string[]>()
  for (const [id, { record }] of ledger.sessions) {
    const parent = record?.parentSessionId ?? null
    if (parent === null) continue
    const siblings = branches.get(parent)
    if (siblings === undefined) branches.set(parent, [id])
    else siblings.push(id)
  }
  return branches
}

function removeOne(ledger: MemoryLedger, sessionId: string): void {
  for (const { runId } of runsOf(ledger, sessionId)) ledger.runs.delete(runId)
  for (const { invocationId } of rowsOf(ledger, sessionId)) {
    ledger.heads.delete(invocationId)
    ledger.invocations.delete(invocationId)
  }
  removeLogsOfThread(ledger.agentEvents, sessionId)
  ledger.sessions.delete(sessionId)
}
