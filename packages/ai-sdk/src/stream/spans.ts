import { withoutUndefined } from '../without-undefined.ts'
import type { Emit } from './emit.ts'

interface Span {
  readonly messageId: string
  text: string
  providerMetadata: unknown
}

/**
 * The texts, or the thinkings, that a step has open. The SDK's part ids only find the open one: they come again in later
 * steps, and a text and a thinking may share one.
 */
export interface Spans {
  start(partId: string, providerMetadata: unknown): void
  append(partId: string, text: string, providerMetadata: unknown): void
  end(partId: string, providerMetadata: unknown): string | undefined
  /** Completes what is open as cut off. */
  interrupt(): void
}

export function createSpans(kind: 'text' | 'thinking', emit: Emit): Spans {
  const open = new Map<string, Span>()
  let count = 0

  const start = (partId: string, providerMetadata: unknown): Span => {
    complete(partId, true)
    count += 1
    const span = { messageId: `${kind}-${count}`, text: '', providerMetadata }
    open.set(partId, span)
    return span
  }

  const complete = (partId: string, interrupted?: true): string | undefined => {
    const span = open.get(partId)
    if (span === undefined) return undefined
    open.delete(partId)
    const { messageId, text, providerMetadata } = span
    // A thinking without text is still a fact where the provider hid the text and gave a token for it.
    if (text === '' && (providerMetadata === undefined || interrupted)) return undefined
    emit({ type: `${kind}_complete`, messageId, text, ...withoutUndefined({ providerMetadata, interrupted }) })
    return messageId
  }

  return {
    start: (partId, providerMetadata) => void start(partId, providerMetadata),
    append: (partId, text, providerMetadata) => {
      const span = open.get(partId) ?? start(partId, undefined)
      span.providerMetadata = providerMetadata ?? span.providerMetadata
      if (text === '') return
      span.text += text
      emit({ type: `${kind}_delta`, messageId: span.messageId, text })
    },
    end: (partId, providerMetadata) => {
      const span = open.get(partId)
      if (span !== undefined) span.providerMetadata = providerMetadata ?? span.providerMetadata
      return complete(partId)
    },
    interrupt: () => {
      for (const partId of open.keys()) complete(partId, true)
    },
  }
}
