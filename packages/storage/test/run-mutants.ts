/**
 * Shows that the properties notice what they are there to notice: makes each mutant in a copy of the sources and expects
 * every property that claims it to fail there. Ends with exit code 1 when one survives or its edit does not apply.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MutantName, mutants } from './mutants.ts'
import { properties } from './properties.ts'

const packages = join(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'daybook-mutants-'))

function copySources(): void {
  for (const part of ['core/package.json', 'core/src', 'storage/package.json', 'storage/src', 'storage/test']) {
    cpSync(join(packages, part), join(copy, part), { recursive: true })
  }
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@daybook'), { recursive: true })
  symlinkSync(join(copy, 'core'), join(modules, '@daybook/core'))
  for (const name of ['better-sqlite3', 'canonicalize', 'fast-check']) {
    symlinkSync(realpathSync(join(packages, 'storage/node_modules', name)), join(modules, name))
  }
}

/**
 * How long a test may take, in milliseconds. One that does not end, as where a transaction is left open and the next one
 * waits for it, is as good as one that fails.
 */
const patienceMs = 60_000

/** Whether the properties of this title hold in the copy. Throws where their tests did not run. */
function holds(driver: string, title: string): boolean {
  const pattern = `^every history on ${driver} ${title}$`
  // In one process, so that no other is left when it is killed.
  const runner = ['--test', '--test-isolation=none', '--test-reporter=tap', `--test-name-pattern=${pattern}`]
  const args = ['--conditions=@daybook/source', ...runner, 'test/ledger-properties.test.ts']
  const { status, error, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(copy, 'storage'),
    encoding: 'utf8',
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return false
  if (status === 0 && !stdout.includes('# pass 0\n')) return true
  if (status === 1 && stdout.includes('Property failed after')) return false
  throw new Error(`no property ran: ${title}\n${stdout}${stderr}`)
}

/** Throws where an edit does not apply: the sources have moved on, and the mutant has to follow. */
function isNoticed(name: MutantName, title: string): boolean {
  const { driver, edits } = mutants[name]
  const sources = edits.map(([file]) => readFileSync(join(copy, file), 'utf8'))
  for (const [index, [file, from, to]] of edits.entries()) {
    const source = sources[index]!
    if (source.split(from).length !== 2)
      throw new Error(`"${name}" does not apply: ${file} does not hold once: ${from}`)
    writeFileSync(
      join(copy, file),
      source.replace(from, () => to),
    )
  }
  const noticed = !holds(driver, title)
  for (const [index, [file]] of edits.entries()) writeFileSync(join(copy, file), sources[index]!)
  return noticed
}

const claims = properties.flatMap(({ title, kills }) => kills.map((name) => ({ title, name })))
const unclaimed = Object.keys(mutants).filter((name) => !claims.some((claim) => claim.name === name))
try {
  if (unclaimed.length > 0) throw new Error(`no property claims: ${unclaimed.join(', ')}`)
  copySources()
  for (const driver of ['memory', 'sqlite']) {
    if (!holds(driver, '.*')) throw new Error(`a property fails on ${driver} without a mutant`)
  }
  for (const { title, name } of claims) {
    const noticed = isNoticed(name, title)
    if (!noticed) process.exitCode = 1
    console.log(`${noticed ? 'dead    ' : 'SURVIVES'}  ${name}  (${title})`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
