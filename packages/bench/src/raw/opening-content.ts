import type { InvocationOpenedContent } from '@daybook/core/canonical-runtime-event'

/** What event 1 of an invocation says, for ledgers that are written without a session manager. */
export function openingContent(configuration: InvocationOpenedContent['configuration']): InvocationOpenedContent {
  return {
    kind: 'invocation_opened',
    protocol: 'invocation_opened_v1',
    route: { backendKind: 'scripted' },
    configuration,
    root: { kind: 'user' },
    source: { kind: 'fresh' },
  }
}
