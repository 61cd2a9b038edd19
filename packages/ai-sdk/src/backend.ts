import { InvalidInputError, UnsupportedError } from '@daybook/core'
import type { BackendFactory } from '@daybook/core/backend-types'
import { openStream } from './open-stream.ts'
import type { AiSdkBackendOptions } from './options.ts'
import { createPartFold } from './stream/part-fold.ts'
import { createToolGate } from './stream/tool-gate.ts'
import { createTurnStop, type TurnStop } from './turn-stop.ts'
import { unlessAborted } from './unless-aborted.ts'

/**
 * A backend that answers each turn with `streamText` of the AI SDK and lets it run the tools that it is given.
 * Throws `InvalidInputError` for options without a model, or with a `maxSteps` below 1.
 */
export function aiSdkBackend(options: AiSdkBackendOptions): BackendFactory {
  checkOptions(options)
  return ({ sessionId, session }) => {
    const turns = new Set<TurnStop>()
    const stop = async (source: string): Promise<void> => {
      for (const turn of turns) turn.stop(source)
    }
    return {
      kind: session.backendKind,
      sessionId,
      async *send(input) {
        const turn = createTurnStop(input.abortSignal)
        const unlessStopped = unlessAborted(turn.signal)
        const gate = createToolGate()
        const fold = createPartFold(input.turnId, gate, options.now ?? Date.now)
        turns.add(turn)
        try {
          const stream = await unlessStopped(openStream(options, session, input, gate, turn.signal))
          const parts = stream[Symbol.asyncIterator]()
          for (let next = await unlessStopped(parts.next()); !next.done; next = await unlessStopped(parts.next())) {
            for (const event of fold.push(next.value)) yield event
            // Being asked for more means that the call is committed.
            if (next.value.type === 'tool-call') gate.open(next.value)
          }
          yield* fold.complete()
        } catch (error) {
          yield* turn.signal.aborted ? fold.abort(turn.source()) : fold.fail(error)
        } finally {
          turns.delete(turn)
          // Leaving the SDK's stream alone would let the provider go on.
          turn.dispose()
        }
      },
      stop,
      // A turn that needs an answer ends as waiting, so no running turn ever takes one.
      respondToSandboxBoundary: () =>
        Promise.reject(new UnsupportedError('answers to a running turn', session.backendKind)),
      dispose: () => stop('disposed'),
    }
  }
}

function checkOptions({ model, maxSteps = 1 }: Partial<AiSdkBackendOptions> = {}): void {
  if (!model) {
    throw new InvalidInputError('model', 'must be a model of the AI SDK, or a function that picks one for a session')
  }
  if (!Number.isSafeInteger(maxSteps) || maxSteps < 1)
    throw new InvalidInputError('maxSteps', 'must be an integer from 1')
}
