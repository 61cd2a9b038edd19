import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const cli = fileURLToPath(new URL('../../../../packages/cli/src/main.ts', import.meta.url))

/** Starts what `npm start` runs, without a model of its own unless `env` names one. */
export function startMain(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const { OPENAI_API_KEY: _, ...inherited } = process.env
  const options = { env: { ...inherited, NO_COLOR: '1', ...env } }
  return spawn(process.execPath, ['--conditions=@daybook/source', main, ...args], options)
}

export function runMain(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished> {
  return finished(startMain(args, env))
}

/** What `npm run verify` runs. */
export function runVerify(args: readonly string[]): Promise<Finished> {
  return finished(spawn(process.execPath, ['--conditions=@daybook/source', cli, 'verify', ...args]))
}

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
    let out = ''
    child.stdout?.on('data', (data: Buffer) => {
      out += data.toString()
      if (out.includes(text)) resolve()
    })
    child.once('close', () => reject(new Error(`ended without printing ${text}: ${out}`)))
  })
}
