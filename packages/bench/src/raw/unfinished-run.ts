import { randomUUID } from 'node:crypto'
import type { OpenedStorage } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { openingContent } from './opening-content.ts'

/** Opens a run in a session of its own, with a text and a call without a response. Its lease has expired. */
export async function openUnfinishedRun(storage: OpenedStorage, turnId: string): Promise<void> {
  const sessionId = randomUUID()
  const ids = { sessionId, invocationId: randomUUID(), runId: randomUUID(), turnId }
  await storage.sessions.create({
    id: sessionId,
    tenant: null,
    subject: null,
    externalId: null,
    title: null,
    cwd: null,
    backendKind: 'scripted',
    llmConnectionSlug: null,
    model: null,
    permissionMode: 'bypass',
    permissionRules: [],
    settings: {},
    revision: 1,
    labels: [],
    parentSessionId: null,
    parentSessionSeq: null,
    createdAt: 1,
    archivedAt: null,
  })
  const base = { ...ids, ts: 1, partial: false } as const
  const system = { role: 'system', author: 'system', modelVisibility: 'hidden' } as const
  const agent = { role: 'model', author: 'agent', modelVisibility: 'visible' } as const
  const opened: RuntimeEvent = {
    ...base,
    ...system,
    id: 'opened',
    content: openingContent({ permissionMode: 'bypass', permissionRules: [], revision: 1 }),
  }
  const owner = { bootId: null, pidNamespace: null, pid: 1, processStartedAt: null }
  const inputDigest = '0'.repeat(64)
  await storage.runs.openRun({ ...ids, exclusive: true, inputDigest, owner, leaseMs: 1, events: [opened] })
  await storage.events.append({
    invocationId: ids.invocationId,
    epoch: 1,
    events: [
      { ...base, ...agent, id: 'text', content: { kind: 'text', text: 'let me look' } },
      { ...base, ...agent, id: 'call', content: { kind: 'function_call', toolCallId: 'c', name: 'look', args: {} } },
    ],
  })
}
