import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { places, valuesOf } from '../testing/places.ts'
import { silentProvider } from '../testing/provider.ts'
import { finished, printed, runHere, startMain } from '../testing/run-main.ts'

describe('npm start -- --follow', () => {
  test('watches another process, leaves at Ctrl-C, comes back, outlives its kill and shows how the turn is closed', async () => {
    const { args, ledger } = places()
    const first = startMain([...args, 'What are berths?'], await silentProvider('thinking of boats'))
    const gone = finished(first)
    await printed(first, 'thinking of boats')
    const left = await runHere(['--follow', '--ledger', ledger], {}, (out, leave) => {
      if (out.includes('thinking of boats')) leave()
    })
    assert.deepEqual(
      [left.code, left.out],
      [130, `process ${first.pid} answers: What are berths?\nthinking of boats\n`],
    )
    assert.deepEqual(valuesOf(ledger, 'SELECT state FROM agent_runs'), ['running'])

    const seen = await runHere(['--follow', '--ledger', ledger], {}, (out) => {
      if (out.includes('thinking of boats')) first.kill('SIGKILL')
    })
    assert.equal((await gone).code, null)
    assert.deepEqual([seen.code, seen.err], [0, ''])
    const closing =
      'thinking of boats\napp_restarted: the process that answered ended before the turn did\nended: terminal\n'
    assert.equal(seen.out, `process ${first.pid} answers: What are berths?\n${closing}`)
    assert.deepEqual(valuesOf(ledger, 'SELECT state FROM agent_runs'), ['failed'])

    const again = await runHere(['--follow', '--ledger', ledger])
    assert.equal(again.out.replace(/^process \d+ answered: What are berths\?\n/, ''), closing)
  })

  test('shows the newest run again, its calls and results in short, and where it waits', async () => {
    const { args, ledger } = places()
    await runHere([...args, 'How many metres may a boat have? Note it in boats.md'])
    const { code, out } = await runHere(['--follow', '--ledger', ledger])
    assert.equal(code, 0)
    for (const part of [
      /\n→ search /,
      /\n← search: 2 places in 2 files\n/,
      /\n→ note boats\.md/,
      /\nended: waiting\n$/,
    ])
      assert.match(out, part)
  })

  test('says that there is no run, and begins no ledger', async () => {
    const { ledger } = places()
    const { code, out } = await runHere(['--follow', '--ledger', ledger])
    assert.deepEqual([code, out], [0, `there is no run on the ledger in ${ledger}\n`])
    assert.equal(existsSync(ledger), false)
  })
})
