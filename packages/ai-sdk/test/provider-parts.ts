import type { ProviderPart, Step } from './majors.ts'

/** A step that streams these parts and ends. */
export function streams(...parts: readonly ProviderPart[]): Step {
  return async () => ReadableStream.from(parts)
}

/** A step that streams these parts and breaks. */
export function breaks(error: unknown, ...parts: readonly ProviderPart[]): Step {
  return async () =>
    ReadableStream.from(
      (async function* () {
        yield* parts
        throw error
      })(),
    )
}

/** A step that streams these parts and then says no more, whatever becomes of its signal. */
export function hangs(...parts: readonly ProviderPart[]): Step {
  return async () =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
      },
    })
}

/** A step whose call is refused. */
export function rejects(error: unknown): Step {
  return async () => {
    throw error
  }
}

export function text(id: string, ...pieces: readonly string[]): ProviderPart[] {
  return [...openText(id, ...pieces), { type: 'text-end', id }]
}

export function openText(id: string, ...pieces: readonly string[]): ProviderPart[] {
  return [{ type: 'text-start', id }, ...pieces.map((delta) => ({ type: 'text-delta', id, delta }))]
}

export function thinking(id: string, piece: string, providerMetadata?: unknown): ProviderPart[] {
  return [
    { type: 'reasoning-start', id },
    { type: 'reasoning-delta', id, delta: piece },
    { type: 'reasoning-end', id, ...(providerMetadata === undefined ? {} : { providerMetadata }) },
  ]
}

export function call(toolCallId: string, toolName: string, input: unknown, more: object = {}): ProviderPart {
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: typeof input === 'string' ? input : JSON.stringify(input),
    ...more,
  }
}

export function finish(unified: string, raw: string | undefined = unified, input = 10, output = 5): ProviderPart {
  return {
    type: 'finish',
    finishReason: { unified, raw },
    usage: {
      inputTokens: { total: input, noCache: input - 4, cacheRead: 4, cacheWrite: 0 },
      outputTokens: { total: output, text: output - 2, reasoning: 2 },
    },
  }
}
