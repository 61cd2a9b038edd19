/**
 * Shows that the properties notice what they are there to notice: makes each mutant in a copy of the sources and expects
 * its property to fail there. Ends with exit code 1 when one survives or its edit does not apply.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutants } from './mutants.ts'

const packages = join(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'daybook-mutants-'))

function copySources(): void {
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@daybook'), { recursive: true })
  for (const name of ['core', 'storage', 'testing', 'runtime']) {
    for (const part of ['package.json', 'src', 'test']) {
      cpSync(join(packages, name, part), join(copy, name, part), { recursive: true })
    }
    symlinkSync(join(copy, name), join(modules, '@daybook', name))
  }
  symlinkSync(realpathSync(join(packages, 'storage/node_modules/better-sqlite3')), join(modules, 'better-sqlite3'))
  symlinkSync(realpathSync(join(packages, 'runtime/node_modules/fast-check')), join(modules, 'fast-check'))
}

/** How long the histories of a property may take, in milliseconds. A turn that never ends is as good as a failed property. */
const patienceMs = 30_000

/** Whether the property holds in the copy. */
function holds(file: string): boolean {
  // In one process, so that no other is left when it is killed.
  const args = [
    '--conditions=@daybook/source',
    '--test',
    '--test-isolation=none',
    '--test-reporter=tap',
    `test/${file}`,
  ]
  const { status, error, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(copy, 'runtime'),
    encoding: 'utf8',
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  })
  if (status === 0) return true
  const isTimeUp = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
  if (isTimeUp || stdout.includes('Property failed after')) return false
  throw new Error(`no property ran: ${file}\n${stdout}${stderr}`)
}

try {
  copySources()
  for (const [name, { file, from, to, noticedBy }] of Object.entries(mutants)) {
    const path = join(copy, 'runtime/src', file)
    const source = readFileSync(path, 'utf8')
    if (source.split(from).length !== 2)
      throw new Error(`"${name}" does not apply: ${file} does not hold once: ${from}`)
    writeFileSync(
      path,
      source.replace(from, () => to),
    )
    const isNoticed = !holds(noticedBy)
    writeFileSync(path, source)
    if (!isNoticed) process.exitCode = 1
    console.log(`${isNoticed ? 'dead    ' : 'SURVIVES'}  ${name}  (${noticedBy})`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
