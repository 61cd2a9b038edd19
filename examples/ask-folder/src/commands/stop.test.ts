import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { places, valuesOf } from '../testing/places.ts'
import { silentProvider } from '../testing/provider.ts'
import { finished, printed, runHere, startMain } from '../testing/run-main.ts'

describe('npm start -- --stop', () => {
  test('stops what another terminal asked, and says so in both', async () => {
    const { args, ledger } = places()
    const first = startMain([...args, 'What are berths?'], await silentProvider('thinking of boats'))
    const ended = finished(first)
    await printed(first, 'thinking of boats')

    const busy = await runHere([...args, 'What are boats?'], await silentProvider(''))
    assert.equal(busy.code, 2)
    assert.match(busy.err, /^SESSION_BUSY: .*\n$/)

    const { code, out } = await runHere(['--stop', '--ledger', ledger])
    assert.deepEqual([code, out], [0, `process ${first.pid} answers: What are berths?\naborted: What are berths?\n`])
    const { code: firstCode, out: firstOut } = await ended
    assert.equal(firstCode, 1)
    assert.match(firstOut, /thinking of boats\nstopped\nthe turn ended as aborted: it was stopped from elsewhere\n$/)
    assert.deepEqual(valuesOf(ledger, 'SELECT state FROM agent_runs'), ['aborted'])

    const again = await runHere(['--stop', '--ledger', ledger])
    assert.deepEqual([again.code, again.out], [0, `nothing is being answered on the ledger in ${ledger}\n`])
  })

  test('says that nothing runs where there is no ledger, and begins none', async () => {
    const { ledger } = places()
    const { code, out } = await runHere(['--stop', '--ledger', ledger])
    assert.deepEqual([code, out], [0, `nothing is being answered on the ledger in ${ledger}\n`])
    assert.equal(existsSync(ledger), false)
  })

  test('takes no question', async () => {
    const { code, err } = await runHere(['--stop', 'What are berths?', '--ledger', places().ledger])
    assert.equal(code, 2)
    assert.match(err, /^--stop takes no question\n\nAsks questions/)
  })
})
