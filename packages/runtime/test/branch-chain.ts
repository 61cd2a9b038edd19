import { randomUUID } from 'node:crypto'
import type { OpenedStorage, SessionRecord } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { SessionManager } from '@daybook/runtime/session-manager'
import { compositionOf, eventBase, openingEvent, userTextEvent } from '../src/turn/opening-events.ts'

const stamp = { newId: randomUUID, now: Date.now }

/** So many sessions, the first given, each with one turn and each but the first a branch of the one before after its turn. */
export async function branchChain(
  storage: OpenedStorage,
  manager: SessionManager,
  first: SessionRecord,
  depth: number,
): Promise<SessionRecord[]> {
  const sessions = [first]
  for (let session = first; ; sessions.push(session)) {
    const turnId = `${sessions.length}`
    await addTurn(storage, session, turnId)
    if (sessions.length === depth) return sessions
    session = await manager.branchSession(session.id, { after: turnId })
  }
}

/** A turn in one commit: going through a backend would read all that came before. */
async function addTurn({ runs }: OpenedStorage, session: SessionRecord, turnId: string): Promise<void> {
  const ids = { sessionId: session.id, turnId, invocationId: randomUUID(), runId: randomUUID() }
  const terminal: RuntimeEvent = {
    ...eventBase(ids, stamp),
    role: 'system',
    author: 'system',
    modelVisibility: 'hidden',
    status: 'completed',
    actions: { endInvocation: true },
  }
  const opening = openingEvent(compositionOf(session), { kind: 'fresh' }, ids, stamp)
  const owner = { bootId: null, pidNamespace: null, pid: 1, processStartedAt: null }
  const events = [opening, userTextEvent(turnId, ids, stamp), terminal] as const
  await runs.openRun({ ...ids, exclusive: true, inputDigest: '0'.repeat(64), owner, events })
}
