import type { AgentBackend, BackendCapabilities, BackendFactory, BackendSendInput } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'
import { type Gate, gate } from './gate.ts'

type Stamp = 'id' | 'turnId' | 'ts'
type Unstamped<Event> = Event extends SessionEvent ? Omit<Event, Stamp> & Partial<Pick<Event, Stamp>> : never

export type ScriptStep =
  /** Yields the event. Left out, `id` counts in each turn, `turnId` is the turn's, `ts` is 0. */
  | Unstamped<SessionEvent>
  /** Yields just this, which need not be an event. */
  | { readonly yield: unknown }
  | { readonly throw: unknown }
  /** A gate holds until a test opens it, stopped or not; `stop` until `stop` is called; `ever` for ever. */
  | { readonly waitFor: Gate | 'stop' | 'ever' }

/** What to do in a turn; the end of the steps ends `send`, with a terminal event or without. */
export type Script = readonly ScriptStep[] | ((input: BackendSendInput) => Iterable<ScriptStep>)

/** A method that was called, with what it was given; of `send` the turn id. */
export type BackendCall = readonly [
  method: Exclude<keyof AgentBackend, 'kind' | 'sessionId' | 'capabilities'>,
  argument?: unknown,
]

export interface ScriptedBackend {
  /** To register under any kind. Each backend that it builds plays the script, and all record here. */
  readonly factory: BackendFactory
  readonly calls: readonly BackendCall[]
  readonly inputs: readonly BackendSendInput[]
}

/** Backends that do in each turn what the script says, no more than one step ahead of who pulls. */
export function scriptedBackend(script: Script, capabilities: BackendCapabilities = {}): ScriptedBackend {
  const calls: BackendCall[] = []
  const inputs: BackendSendInput[] = []
  const factory: BackendFactory = ({ sessionId, session }) => {
    let stop = gate()
    return {
      kind: session.backendKind,
      capabilities,
      sessionId,
      send(input) {
        calls.push(['send', input.turnId])
        inputs.push(input)
        stop = gate()
        const steps = typeof script === 'function' ? script(input) : script
        return play(steps, input.turnId, stop) as AsyncIterable<SessionEvent>
      },
      async stop(reason) {
        calls.push(['stop', reason])
        stop.open()
      },
      async respondToSandboxBoundary(response) {
        calls.push(['respondToSandboxBoundary', response])
      },
      async respondToUserQuestion(response) {
        calls.push(['respondToUserQuestion', response])
      },
      async dispose() {
        calls.push(['dispose'])
      },
    }
  }
  return { factory, calls, inputs }
}

async function* play(steps: Iterable<ScriptStep>, turnId: string, stop: Gate): AsyncGenerator<unknown> {
  let count = 0
  for (const step of steps) {
    if ('type' in step) yield { id: `event-${++count}`, turnId, ts: 0, ...step }
    else if ('yield' in step) yield step.yield
    else if ('throw' in step) throw step.throw
    else if (step.waitFor === 'ever') await new Promise<never>(() => {})
    else await (step.waitFor === 'stop' ? stop : step.waitFor).pass()
  }
}
