import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Runs a module in a process of its own, from source, with `input` as its argument in JSON. It ends with this process. */
export function startProcess(module: URL, input: object): ChildProcess {
  return fork(module, [JSON.stringify(input)], { execArgv: ['--conditions=@daybook/source'] })
}

/** What the process says next. Rejects when it ends before. */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const waiting = new AbortController()
  const { signal } = waiting
  const said = once(child, 'message', { signal }) as Promise<[Message]>
  const ended = once(child, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`a process of the benchmark has ended: ${String(by ?? code)}`)
  })
  try {
    const [message] = await Promise.race([said, ended])
    return message
  } finally {
    said.catch(() => {})
    ended.catch(() => {})
    waiting.abort()
  }
}
