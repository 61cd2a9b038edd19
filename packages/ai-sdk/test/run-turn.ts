import type { SessionRecord } from '@daybook/core'
import type { BackendSendInput } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'
import { aiSdkBackend, type AiSdkBackendOptions } from '../src/index.ts'
import type { Major, ModelCall, Step } from './majors.ts'

export const session: SessionRecord = {
  id: 'session-1',
  tenant: null,
  subject: null,
  externalId: null,
  title: null,
  cwd: null,
  backendKind: 'ai-sdk',
  llmConnectionSlug: null,
  model: null,
  permissionMode: 'ask',
  permissionRules: [],
  settings: {},
  revision: 1,
  labels: [],
  parentSessionId: null,
  parentSessionSeq: null,
  createdAt: 0,
  archivedAt: null,
}

export function input(more: Partial<BackendSendInput> = {}): BackendSendInput {
  const abortSignal = new AbortController().signal
  return {
    turnId: 'turn-1',
    invocationId: 'invocation-1',
    runId: 'run-1',
    text: 'Hi',
    history: [],
    abortSignal,
    ...more,
  }
}

export interface Turn {
  readonly events: readonly SessionEvent[]
  readonly calls: readonly ModelCall[]
}

/** Runs one turn over a scripted model to its end. */
export async function runTurn(
  major: Major,
  steps: readonly Step[],
  options: Partial<AiSdkBackendOptions> = {},
  sent: Partial<BackendSendInput> = {},
  of: SessionRecord = session,
): Promise<Turn> {
  const { model, calls } = major.model(steps)
  const backend = await aiSdkBackend({
    model,
    streamText: major.streamText,
    now: () => 1,
    settings: { maxRetries: 0 },
    ...options,
  })({ sessionId: of.id, session: of })
  const events: SessionEvent[] = []
  for await (const event of backend.send(input(sent))) events.push(event)
  await backend.dispose()
  return { events, calls }
}

/** The events without what each has, and without what no two runs share. */
export function bodies(events: readonly SessionEvent[]): Readonly<Record<string, unknown>>[] {
  return events.map((event) => {
    const { id: _id, turnId: _turnId, ts: _ts, stepId: _stepId, ...body } = event
    if (body.type !== 'tool_result') return body
    const { durationMs: _durationMs, ...result } = body
    return result
  })
}
