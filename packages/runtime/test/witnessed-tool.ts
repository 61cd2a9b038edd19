import { appendFileSync } from 'node:fs'
import type { SessionEvent } from '@daybook/core/events'
import { eventsOf, type ScriptedBackend, scriptedBackend } from './scripted-backend.ts'

export interface WitnessedToolOptions {
  /** Waits for leave with its invocation open. */
  readonly live?: boolean
  /** Stands around every write. */
  readonly reach?: (point: string) => void
}

/** Asks for leave to run a tool, and runs what it is told that it may: each run is a character in the file. */
export function witnessedTool(
  witness: string,
  { live = false, reach = () => {} }: WitnessedToolOptions = {},
): ScriptedBackend {
  const leave = Promise.withResolvers<void>()
  function* run(say: ReturnType<typeof eventsOf>, toolCallId: string): Generator<SessionEvent> {
    reach('answered')
    appendFileSync(witness, 'x')
    reach('run the tool')
    yield say.result(toolCallId)
    reach('recorded the result')
  }
  return scriptedBackend(
    async function* ({ turnId, text, continuation }) {
      const say = eventsOf(turnId)
      if (continuation === undefined && text === 'ask') {
        yield say.call('c1', { file: 'a' })
        yield say.boundary('r1', 'c1')
        reach('asked')
        if (!live) return yield say.complete('waiting')
        await leave.promise
        yield* run(say, 'c1')
      }
      for (const { toolCallId } of continuation?.openCalls ?? []) yield* run(say, toolCallId)
      yield say.text('done')
      yield say.complete()
    },
    {
      capabilities: { resume: 'replay', ...(live && { answers: 'live' }) },
      respondToSandboxBoundary: async () => leave.resolve(),
    },
  )
}
