/**
 * Runs a package's tests from source: `node ../gates/src/run-tests.ts [--name REGEX] [--together] [FILE...]`. Together, all
 * files run in this process, one after the other, which loads each module once: that takes half of the time. It needs
 * `--conditions=@daybook/source` itself then.
 *
 * Node's own runner passes when it finds no test, and counts a skipped `describe` as nothing skipped. Both fail here.
 */
import { enableCompileCache } from 'node:module'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: { name: { type: 'string' }, together: { type: 'boolean', default: false } },
  allowPositionals: true,
})

let ran = 0
const fail = (reason: string): void => {
  process.exitCode = 1
  console.error(`✖ ${reason}`)
}

// Each file is a process, and many start more: what one has compiled, the others take over.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../../node_modules/.cache/node')
enableCompileCache(process.env['NODE_COMPILE_CACHE'])

const events = run({
  globPatterns: positionals.length > 0 ? positionals : ['{src,test}/**/*.test.ts'],
  ...(values.together
    ? { isolation: 'none' as const }
    : // Node would run one file at a time on two cores.
      { concurrency: 2, execArgv: ['--conditions=@daybook/source'] }),
  ...(values.name === undefined ? {} : { testNamePatterns: values.name }),
})
events.on('test:pass', ({ name, file = '', skip, details }) => {
  // A file without tests passes as one test with the file's name.
  if (details.type !== 'suite') ran += name === relative('', file) ? 0 : 1
  else if (skip !== undefined) fail(`the suite "${name}" is skipped: skip single tests, which are counted`)
})
let isOver = false
process.on('exit', () => isOver || fail('the process ended before the tests did'))
events.on('test:summary', ({ file, success }) => {
  if (file !== undefined) return
  isOver = true
  if (!success) process.exitCode = 1
  else if (ran === 0) fail('no test ran')
})
events.compose(spec).pipe(process.stdout)
