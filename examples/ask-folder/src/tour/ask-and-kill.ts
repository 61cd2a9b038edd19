import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Asked } from '../commands/command.ts'
import { showLiveTurn } from '../terminal/live-turn.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Told } from './hanging-process.ts'

const program = fileURLToPath(new URL('hanging-process.ts', import.meta.url))

/**
 * Asks in a process of its own and kills that while a tool runs, or when `stop` says so. Throws when the process ended by
 * itself.
 */
export async function askAndKill(
  { dir, ledger }: Pick<Asked, 'dir' | 'ledger'>,
  sessionId: string,
  text: string,
  screen: Screen,
  stop: AbortSignal,
): Promise<void> {
  screen.line()
  screen.line(`> ${text}`, 'bold')
  const child = fork(program, [dir, ledger, sessionId, text], { execArgv: ['--conditions=@daybook/source'] })
  screen.line(`asked in process ${child.pid}: the offline program, with tools that never return`, 'dim')
  const show = showLiveTurn(screen)
  const kill = (): void => void child.kill('SIGKILL')
  stop.addEventListener('abort', kill)
  child.on('message', (told: Told) => (told.type === 'tool_runs' ? kill() : show(told)))
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  stop.removeEventListener('abort', kill)
  if (stop.aborted) return
  if (signal !== 'SIGKILL') throw new Error(`process ${child.pid} ended before a tool ran`)
  screen.line(`killed process ${child.pid} with SIGKILL while the tool ran`, 'dim')
}
