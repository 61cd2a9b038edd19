import { randomUUID } from 'node:crypto'
import type { OpenedStorage } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { SessionManager } from '@daybook/runtime/session-manager'
import { openingContent } from './opening-content.ts'

/** The turn that every session of a chain has. */
export const branchedTurn = 'turn'

/** So many sessions, each with one turn and each but the first a branch of the one before after its turn; the ids in order. */
export async function branchChain(storage: OpenedStorage, manager: SessionManager, depth: number): Promise<string[]> {
  const ids: string[] = []
  for (let { id } = await manager.createSession({ backend: 'scripted' }); ;) {
    ids.push(id)
    await addTurn(storage, id)
    if (ids.length === depth) return ids
    ;({ id } = await manager.branchSession(id, { after: branchedTurn }))
  }
}

/** A turn in one commit: to go through a backend would be to read all that came before. */
async function addTurn({ runs }: OpenedStorage, sessionId: string): Promise<void> {
  const ids = { sessionId, turnId: branchedTurn, invocationId: randomUUID(), runId: randomUUID() }
  const base = { ...ids, ts: 1, partial: false } as const
  const system = { role: 'system', author: 'system', modelVisibility: 'hidden' } as const
  const user = { role: 'user', author: 'user', modelVisibility: 'visible' } as const
  const opening: RuntimeEvent = {
    ...base,
    ...system,
    id: 'opened',
    content: openingContent({ permissionMode: 'ask', revision: 1 }),
  }
  const events = [
    opening,
    { ...base, ...user, id: 'text', content: { kind: 'text', text: 'hi' } },
    { ...base, ...system, id: 'end', status: 'completed', actions: { endInvocation: true } },
  ] as const satisfies readonly RuntimeEvent[]
  const owner = { bootId: null, pidNamespace: null, pid: 1, processStartedAt: null }
  await runs.openRun({ ...ids, exclusive: true, inputDigest: '0'.repeat(64), owner, events })
}
