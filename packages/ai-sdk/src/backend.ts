import { InvalidInputError, makeStorable, UnsupportedError } from '@daybook/core'
import type { BackendCapabilities, BackendFactory, ToolResultPart } from '@daybook/core/backend-types'
import type { SessionEvent, ToolResultEvent } from '@daybook/core/events'
import type { ToolSet } from 'ai'
import { runApprovedCalls } from './approved-calls.ts'
import { withResults } from './history.ts'
import { askModel, setUpTurn, type TurnSetup } from './open-stream.ts'
import type { AiSdkBackendOptions } from './options.ts'
import { createPartFold } from './stream/part-fold.ts'
import type { StreamPart } from './stream/stream-part.ts'
import { createToolGate } from './stream/tool-gate.ts'
import { createTurnStop, type TurnStop } from './turn-stop.ts'
import { unlessAborted } from './unless-aborted.ts'

const capabilities: BackendCapabilities = { answers: 'later', resume: 'replay' }

/**
 * A backend that answers each turn with `streamText` of the AI SDK and lets it run the tools that it is given.
 * Throws `InvalidInputError` for options without a model, with a `maxSteps` below 1, or with no time to answer.
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
      capabilities,
      async *send(input) {
        const { turnId, invocationId, history, text, continuation } = input
        const { openCalls: approvedCalls = [], requests = [] } = continuation ?? {}
        let setup: TurnSetup | undefined
        const turn = createTurnStop(input.abortSignal)
        const unlessStopped = unlessAborted(turn.signal)
        const gate = createToolGate()
        const folded = {
          turnId,
          invocationId,
          approvalExpiresInMs: options.approvalExpiresInMs,
          approvedCalls,
          askedCallIds: requests.flatMap(({ toolCallId }) => toolCallId ?? []),
          isAnsweredByPerson: (toolName: string) => isAnsweredByPerson(setup?.tools, toolName),
        }
        const fold = createPartFold(folded, gate, options.now ?? Date.now)
        const eventsOf = async function* (opening: Promise<AsyncIterable<StreamPart>>): AsyncGenerator<SessionEvent> {
          const stream = await unlessStopped(opening)
          const parts = stream[Symbol.asyncIterator]()
          for (let next = await unlessStopped(parts.next()); !next.done; next = await unlessStopped(parts.next())) {
            yield* fold.push(next.value)
            // Being asked for more means that the call is committed.
            if (next.value.type === 'tool-call') gate.open(next.value)
          }
        }
        turns.add(turn)
        try {
          setup = await unlessStopped(setUpTurn(options, session))
          const results: ToolResultPart[] = []
          if (approvedCalls.length > 0) {
            for await (const event of eventsOf(runApprovedCalls(setup, input, approvedCalls, gate, turn.signal))) {
              if (event.type === 'tool_result') results.push(resultPart(event))
              yield event
            }
          }
          if (results.length === approvedCalls.length) {
            yield* eventsOf(askModel(setup, withResults(history, results), text, gate, turn.signal))
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

/** Whether nothing here answers calls of this tool, and a person is asked to. */
function isAnsweredByPerson(tools: ToolSet = {}, toolName: string): boolean {
  return Object.hasOwn(tools, toolName) && !tools[toolName]?.execute
}

/** What the next model call is told, in the form in which the ledger has it. */
function resultPart({ toolCallId, toolName = 'unknown', outcome = 'ok', ...event }: ToolResultEvent): ToolResultPart {
  const { result, providerMetadata } = makeStorable(event).value as Pick<ToolResultPart, 'result' | 'providerMetadata'>
  return { type: 'tool_result', toolCallId, toolName, outcome, result, ...(providerMetadata && { providerMetadata }) }
}

function checkOptions({ model, maxSteps = 1, approvalExpiresInMs = 1 }: Partial<AiSdkBackendOptions> = {}): void {
  if (!model) {
    throw new InvalidInputError('model', 'must be a model of the AI SDK, or a function that picks one for a session')
  }
  for (const [name, count] of Object.entries({ maxSteps, approvalExpiresInMs })) {
    if (!Number.isSafeInteger(count) || count < 1) throw new InvalidInputError(name, 'must be an integer from 1')
  }
}
