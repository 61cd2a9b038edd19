import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { delimiter, join } from 'node:path'
import { readJson, type Manifest } from '../src/workspace.ts'

/** Runs a gate as `npm test` does: the script of that name in the manifest of `folder`, there. */
export async function runGate(gate: string, folder: string): Promise<{ passed: boolean; output: string }> {
  const script = readJson<Manifest>(join(folder, 'package.json')).scripts?.[gate]
  if (script === undefined) throw new Error(`${folder} has no script "${gate}"`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const tools = join(import.meta.dirname, '../../../node_modules/.bin')
  const child = spawn(script, { cwd: folder, shell: true, env: { ...env, PATH: tools + delimiter + env['PATH'] } })
  const exited = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve))
  const [code, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)])
  return { passed: code === 0, output: stdout + stderr }
}
