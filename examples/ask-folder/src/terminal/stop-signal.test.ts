import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { stopSignal } from './stop-signal.ts'

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(`the signal to stop comes with ${name}`, async () => {
    const stop = stopSignal()
    const aborted = once(stop, 'abort')
    process.kill(process.pid, name)
    await aborted
    assert.equal(stop.aborted, true)
    for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(each)
    process.stdout.removeAllListeners('error')
  })
