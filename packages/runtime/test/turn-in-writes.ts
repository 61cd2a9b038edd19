import type { BackendSendInput } from '@daybook/core/backend-types'
import { eventsOf } from './scripted-backend.ts'

/** What the turn commits, one transaction after the other, in the words of `factsOf`. */
export const writes: readonly (readonly string[])[] = [
  ['invocation_opened', 'user:hi'],
  ['text:let me look'],
  ['function_call:c1'],
  ['function_response:ok'],
  ['text:found it'],
  ['completed'],
]

/** A turn with a tool, whose texts are streamed before they are complete. `runTool` is called once the call is committed. */
export async function* turnInWrites(
  { turnId }: BackendSendInput,
  runTool: () => Promise<void> = async () => {},
): AsyncGenerator<unknown> {
  const say = eventsOf(turnId)
  yield say.delta('let me', 'first')
  yield say.text('let me look', 'first')
  yield say.call('c1')
  await runTool()
  yield say.result('c1')
  yield say.delta('found', 'last')
  yield say.text('found it', 'last')
  yield say.complete()
}
