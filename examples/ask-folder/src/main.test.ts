import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { places, valuesOf } from './testing/places.ts'
import { silentProvider } from './testing/provider.ts'
import { finished, printed, startMain } from './testing/run-main.ts'

describe('the process of the demo', () => {
  test('ends the turn as aborted on Ctrl-C', async () => {
    const { args, ledger } = places()
    const child = startMain([...args, 'What are berths?'], await silentProvider('thinking of boats'))
    const ended = finished(child)
    await printed(child, 'thinking of boats')
    child.kill('SIGINT')
    const { code, out } = await ended
    assert.equal(code, 130)
    assert.match(out, /thinking of boats\nstopped\n$/)
    assert.deepEqual(valuesOf(ledger, 'SELECT state FROM agent_runs'), ['aborted'])
  })

  test('says what is wrong apart from what it answers', async () => {
    const { code, out, err } = await finished(startMain(['--nonsense']))
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /^Unknown option '--nonsense'/)
  })
})
