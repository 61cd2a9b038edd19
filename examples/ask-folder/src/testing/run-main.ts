import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runDemo } from '../run-demo.ts'
import { terminalScreen } from '../terminal/screen.ts'

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

type Env = Readonly<Record<string, string>>

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Runs in this process what `npm start` runs, without a model of its own unless `env` names one. `watch` sees what is printed so far. */
export async function runHere(
  args: readonly string[],
  env: Env = {},
  watch: (out: string, stop: () => void) => void = () => {},
): Promise<Finished> {
  const stopping = new AbortController()
  const stream = Object.assign(new PassThrough(), { isTTY: false, columns: 0 })
  let [out, err] = ['', '']
  stream.on('data', (data: Buffer) => watch((out += data.toString()), () => stopping.abort()))
  const screen = terminalScreen(stream as unknown as NodeJS.WriteStream)
  const terminal = { env, screen, stopSignal: () => stopping.signal }
  const code = await runDemo(args, terminal, (text) => (err += `${text}\n`))
  stream.end()
  await once(stream, 'close')
  return { code, out, err }
}

/** The same in a process of its own. */
export function startMain(args: readonly string[], env: Env = {}): ChildProcess {
  const { OPENAI_API_KEY: _, ...inherited } = process.env
  const options = { env: { ...inherited, NO_COLOR: '1', ...env } }
  return spawn(process.execPath, ['--conditions=@daybook/source', main, ...args], options)
}

/** Resolves when the process, and whoever else holds its output, has ended. */
export async function finished(child: ChildProcess): Promise<Finished> {
  let [out, err] = ['', '']
  child.stdout?.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (err += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

/** Resolves when the process has printed this. */
export function printed(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let [out, err] = ['', '']
    child.stdout?.on('data', (data: Buffer) => {
      out += data.toString()
      if (out.includes(text)) resolve()
    })
    child.stderr?.on('data', (data: Buffer) => (err += data.toString()))
    child.once('close', () => reject(new Error(`ended without printing ${text}: ${out}${err}`)))
  })
}
