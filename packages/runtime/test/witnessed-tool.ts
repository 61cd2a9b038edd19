import { appendFileSync } from 'node:fs'
import { eventsOf, type Script } from './scripted-backend.ts'

/** Asks for leave to run a tool, and runs it once it has it: each run is a character in the file. `reach` stands around every write. */
export function witnessedTool(witness: string, reach: (point: string) => void = () => {}): Script {
  return async function* ({ turnId, text, continuation }) {
    const say = eventsOf(turnId)
    if (continuation === undefined && text === 'ask') {
      yield say.call('c1', { file: 'a' })
      yield say.boundary('r1', 'c1')
      reach('asked')
      return yield say.complete('waiting')
    }
    for (const { toolCallId } of continuation?.openCalls ?? []) {
      reach('answered')
      appendFileSync(witness, 'x')
      reach('run the tool')
      yield say.result(toolCallId)
      reach('recorded the result')
    }
    yield say.complete()
  }
}
