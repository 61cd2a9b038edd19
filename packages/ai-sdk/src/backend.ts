import { UnsupportedError } from '@daybook/core'
import type { BackendFactory } from '@daybook/core/backend-types'
import { answerTurn } from './answer-turn.ts'
import type { AiSdkBackendOptions } from './options.ts'
import { createTurnStop, type TurnStop } from './turn-stop.ts'

/** A backend that answers each turn with `streamText` of the AI SDK and lets it run the tools that it is given. */
export function aiSdkBackend(options: AiSdkBackendOptions): BackendFactory {
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
        turns.add(turn)
        try {
          yield* answerTurn(options, session, input, turn)
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
