import type { JsonObject, SessionRecord } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'

/** The ids that all events of an invocation share. */
export interface InvocationIds {
  readonly sessionId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
}

/** The first two events of an invocation: what was decided before the backend is asked, then what the user said. */
export function openingEvents(
  session: SessionRecord,
  text: string,
  ids: InvocationIds,
  stamp: { readonly newId: () => string; readonly now: () => number },
): [opening: RuntimeEvent, userText: RuntimeEvent] {
  const base = (): Pick<RuntimeEvent, 'id' | 'ts' | 'partial' | keyof InvocationIds> => ({
    id: stamp.newId(),
    ...ids,
    ts: stamp.now(),
    partial: false,
  })
  const opening: RuntimeEvent = {
    ...base(),
    role: 'system',
    author: 'system',
    modelVisibility: 'hidden',
    content: {
      kind: 'invocation_opened',
      protocol: 'invocation_opened_v1',
      route: {
        backendKind: session.backendKind,
        ...(session.llmConnectionSlug !== null && { llmConnectionSlug: session.llmConnectionSlug }),
        ...(session.model !== null && { model: session.model }),
      },
      configuration: {
        ...(session.cwd !== null && { cwd: session.cwd }),
        permissionMode: session.permissionMode,
        revision: session.revision,
        ...(hasEntries(session.settings) && { settings: session.settings }),
      },
      root: { kind: 'user' },
      source: { kind: 'fresh' },
    },
  }
  const userText: RuntimeEvent = {
    ...base(),
    role: 'user',
    author: 'user',
    modelVisibility: 'visible',
    content: { kind: 'text', text },
  }
  return [opening, userText]
}

function hasEntries(settings: JsonObject): boolean {
  return Object.keys(settings).length > 0
}
