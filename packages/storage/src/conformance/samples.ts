import {
  encodeCanonicalJson,
  type AppendedEvent,
  type AppendRequest,
  type OpenedStorage,
  type OpenRunRequest,
  type RunOwner,
  requestDigest,
  type RunRecord,
  type SessionRecord,
} from '@daybook/core'
import type {
  AnswerAction,
  InvocationSource,
  RequestAction,
  RuntimeEvent,
  RuntimeEventActions,
  TerminalStatus,
} from '@daybook/core/canonical-runtime-event'
import type { ForeignRow } from '../foreign-row.ts'
import { sha256 } from '../sha256.ts'

export interface RunIds {
  readonly sessionId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
}

/** Pairs of ids that a careless comparison takes for one, or orders wrongly: the first of each is the lower code point. */
export const lookalikeIds: readonly (readonly [string, string])[] = [
  ['Id', 'id'],
  ['B', '_'],
  ['a\u0301', 'á'],
  ['\uFFFD', '\u{10000}'],
]

export const anOwner: RunOwner = { bootId: 'boot', pidNamespace: '1', pid: 42, processStartedAt: '7' }

export function sessionRecord(id: string, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    tenant: null,
    subject: null,
    externalId: null,
    title: null,
    cwd: null,
    backendKind: 'test',
    llmConnectionSlug: null,
    model: null,
    permissionMode: 'ask',
    permissionRules: [],
    settings: {},
    revision: 1,
    labels: [],
    parentSessionId: null,
    parentSessionSeq: null,
    createdAt: 1,
    archivedAt: null,
    ...changes,
  }
}

/** The ids of a run; the turn is the run's own unless it is named. */
export function idsOf(sessionId: string, invocationId: string, turnId: string = `turn of ${invocationId}`): RunIds {
  return { sessionId, invocationId, runId: `run of ${invocationId}`, turnId }
}

function eventOf(ids: RunIds, id: string, ts: number): Omit<RuntimeEvent, 'role' | 'author' | 'modelVisibility'> {
  return { id, ...ids, ts, partial: false }
}

export function openedEvent(ids: RunIds, ts: number = 1, source: InvocationSource = { kind: 'fresh' }): RuntimeEvent {
  return {
    ...eventOf(ids, 'opened', ts),
    role: 'system',
    author: 'system',
    modelVisibility: 'hidden',
    content: {
      kind: 'invocation_opened',
      protocol: 'invocation_opened_v1',
      route: { backendKind: 'test' },
      configuration: { permissionMode: 'ask', revision: 1 },
      root: { kind: 'user' },
      source,
    },
  }
}

export function textEvent(ids: RunIds, id: string, text: string = id, ts: number = 2): RuntimeEvent {
  return {
    ...eventOf(ids, id, ts),
    role: 'model',
    author: 'agent',
    modelVisibility: 'visible',
    content: { kind: 'text', text },
  }
}

export function terminalEvent(
  ids: RunIds,
  status: TerminalStatus = 'completed',
  id: string = 'ended',
  ts: number = 3,
): RuntimeEvent {
  return {
    ...eventOf(ids, id, ts),
    role: 'system',
    author: 'system',
    modelVisibility: 'hidden',
    status,
    actions: { endInvocation: true },
  }
}

/** An event that says nothing but its actions. */
export function factEvent(ids: RunIds, id: string, actions: RuntimeEventActions): RuntimeEvent {
  return { ...eventOf(ids, id, 2), role: 'system', author: 'agent', modelVisibility: 'hidden', actions }
}

/** Asks under the id of the event. */
export function askEvent(ids: RunIds, requestId: string, changes: Partial<RequestAction> = {}): RuntimeEvent {
  const request: RequestAction = { requestId, kind: 'sandbox_boundary', payload: { run: requestId }, ...changes }
  return factEvent(ids, `asks ${requestId}`, { request })
}

/** Answers what `askEvent` asks. */
export function answerEvent(
  ids: RunIds,
  requestId: string,
  changes: Partial<AnswerAction> = {},
  id: string = `answers ${requestId}`,
): RuntimeEvent {
  const request = askEvent(ids, requestId).actions!.request!
  const requestDigest = changes.requestDigest ?? digestOf(request)
  return factEvent(ids, id, { answer: { requestId, requestDigest, outcome: 'approved', ...changes } })
}

export function digestOf(request: RequestAction): string {
  return requestDigest(sha256, request)
}

export function openRequest(ids: RunIds, changes: Partial<OpenRunRequest> = {}): OpenRunRequest {
  return {
    ...ids,
    exclusive: true,
    inputDigest: '0'.repeat(64),
    owner: anOwner,
    events: [openedEvent(ids)],
    ...changes,
  }
}

/** Creates the session where it does not exist, and opens the run. */
export async function openRun(
  storage: OpenedStorage,
  ids: RunIds,
  changes: Partial<OpenRunRequest> = {},
): Promise<RunRecord> {
  if ((await storage.sessions.read(ids.sessionId, { tenant: null })) === undefined) {
    await storage.sessions.create(sessionRecord(ids.sessionId))
  }
  return storage.runs.openRun(openRequest(ids, changes))
}

export function append(
  storage: OpenedStorage,
  ids: RunIds,
  events: readonly RuntimeEvent[],
  epoch: number = 1,
): Promise<readonly AppendedEvent[]> {
  const request: AppendRequest = { invocationId: ids.invocationId, epoch, events }
  return storage.events.append(request)
}

/** A run of an opening, one text and an end. */
export async function wholeRun(storage: OpenedStorage, ids: RunIds, openedAt: number = 1): Promise<void> {
  await openRun(storage, ids, { events: [openedEvent(ids, openedAt)] })
  await append(storage, ids, [textEvent(ids, 'text'), terminalEvent(ids)])
}

/** The row that a foreign writer inserts for an event. */
export function foreignRow(event: RuntimeEvent, eventSeq: number, changes: Partial<ForeignRow> = {}): ForeignRow {
  return {
    event_id: event.id,
    session_id: event.sessionId,
    invocation_id: event.invocationId,
    run_id: event.runId,
    turn_id: event.turnId,
    event_seq: eventSeq,
    event_kind: event.content?.kind ?? event.status ?? 'runtime_fact',
    payload_json: encodeCanonicalJson(event),
    committed_at: 9_999,
    ...changes,
  }
}
