import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, 'stop-signal.ts')

// In a process of its own: the runner of the tests listens to these signals too.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  test(`the signal to stop comes with ${name}`, () => {
    const program = `
      import { stopSignal } from ${JSON.stringify(source)}
      const waiting = setInterval(() => {}, 60_000)
      stopSignal().addEventListener('abort', () => clearInterval(waiting))
      process.on('beforeExit', () => console.log('stopped'))
      process.kill(process.pid, ${JSON.stringify(name)})`
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
    assert.equal(output, 'stopped\n')
  })
