import type { JsonObject, SessionRecord } from '@daybook/core'
import type { InvocationOpenedContent, InvocationSource, RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { Stamp } from './stamp.ts'

/** The ids that all events of an invocation share. */
export interface InvocationIds {
  readonly sessionId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
}

/** What an invocation runs with. */
export type Composition = Pick<InvocationOpenedContent, 'route' | 'configuration'>

/** What an invocation runs with that is opened now. */
export function compositionOf(session: SessionRecord): Composition {
  const { permissionRules, settings } = session
  return {
    route: {
      backendKind: session.backendKind,
      ...(session.llmConnectionSlug !== null && { llmConnectionSlug: session.llmConnectionSlug }),
      ...(session.model !== null && { model: session.model }),
    },
    configuration: {
      ...(session.cwd !== null && { cwd: session.cwd }),
      permissionMode: session.permissionMode,
      ...(permissionRules.length > 0 && { permissionRules: permissionRules.map((rule): JsonObject => ({ ...rule })) }),
      revision: session.revision,
      ...(Object.keys(settings).length > 0 && { settings }),
    },
  }
}

/** Event 1 of an invocation: what was decided before the backend is asked. */
export function openingEvent(
  composition: Composition,
  source: InvocationSource,
  ids: InvocationIds,
  stamp: Stamp,
): RuntimeEvent {
  const content = { kind: 'invocation_opened', protocol: 'invocation_opened_v1', root: { kind: 'user' } } as const
  return {
    ...eventBase(ids, stamp),
    role: 'system',
    author: 'system',
    modelVisibility: 'hidden',
    content: { ...content, ...composition, source },
  }
}

/** Event 2 of an invocation that answers a message. */
export function userTextEvent(text: string, ids: InvocationIds, stamp: Stamp): RuntimeEvent {
  return {
    ...eventBase(ids, stamp),
    role: 'user',
    author: 'user',
    modelVisibility: 'visible',
    content: { kind: 'text', text },
  }
}

export function eventBase(
  { sessionId, invocationId, runId, turnId }: InvocationIds,
  { newId, now }: Stamp,
): Pick<RuntimeEvent, 'id' | 'ts' | 'partial' | keyof InvocationIds> {
  return { id: newId(), sessionId, invocationId, runId, turnId, ts: now(), partial: false }
}
