/**
 * Shows that the tests notice what they are there to notice: makes each mutant in a copy of the sources and expects its
 * test to fail there. Ends with exit code 1 when one survives or its edit does not apply.
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
  for (const name of ['@ag-ui', 'ag-ui-client-0.0.59', 'rxjs', 'zod']) {
    symlinkSync(realpathSync(join(packages, 'testing/node_modules', name)), join(modules, name))
  }
}

/**
 * How long a test may take, in milliseconds. One that does not end is as good as one that fails, but takes all of this:
 * a history that is stuck is to be noticed by `unlessStuck`.
 */
const patienceMs = 60_000

/** Whether the test passes in the copy. */
function passes(file: string): boolean {
  // In one process, so that no other is left when it is killed.
  const args = ['--conditions=@daybook/source', '--test', '--test-isolation=none', '--test-reporter=tap', file]
  const { status, error, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(copy, 'runtime'),
    encoding: 'utf8',
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  })
  if (status === 0) return true
  const isTimeUp = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
  if (isTimeUp || /Property failed after|ERR_ASSERTION/.test(stdout)) return false
  throw new Error(`no test ran: ${file}\n${stdout}${stderr}`)
}

try {
  copySources()
  for (const file of new Set(Object.values(mutants).map(({ noticedBy }) => noticedBy))) {
    if (!passes(file)) throw new Error(`${file} fails without a mutant`)
  }
  for (const [name, { file, from, to, noticedBy }] of Object.entries(mutants)) {
    const path = join(copy, 'runtime/src', file)
    const source = readFileSync(path, 'utf8')
    if (source.split(from).length !== 2)
      throw new Error(`"${name}" does not apply: ${file} does not hold once: ${from}`)
    writeFileSync(
      path,
      source.replace(from, () => to),
    )
    const isNoticed = !passes(noticedBy)
    writeFileSync(path, source)
    if (!isNoticed) process.exitCode = 1
    console.log(`${isNoticed ? 'dead    ' : 'SURVIVES'}  ${name}  (${noticedBy})`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
