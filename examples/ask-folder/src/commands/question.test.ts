import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { places, valuesOf, verified } from '../testing/places.ts'
import { refusingProvider, silentProvider } from '../testing/provider.ts'
import { printed, runHere, startMain } from '../testing/run-main.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

/** How many turns each session has. */
const turns = 'SELECT count(*) FROM agent_runs GROUP BY session_id ORDER BY 1'

describe('npm start with a question', () => {
  test('keeps the session from question to question, and begins another when it is asked to', async () => {
    const { args, ledger } = places()
    const first = await runHere([...args, 'How many metres may a boat have?'])
    assert.match(first.out, /berths\.ts:1: export const maxBoatMetres = 24/)
    assert.deepEqual(valuesOf(ledger, turns), [1])
    const second = await runHere([...args, 'What', 'are', 'berths?'])
    assert.match(second.out, /> What are berths\?/)
    assert.ok(second.out.includes(verified))
    assert.deepEqual(valuesOf(ledger, turns), [2])
    await runHere([...args, '--new', 'What are berths?'])
    assert.deepEqual(valuesOf(ledger, turns), [1, 2])
  })

  test('goes on after it was killed in the middle of a turn, and says what it closed', async () => {
    const { args } = places()
    const env = { ...(await silentProvider('thinking of boats')), DAYBOOK_MODEL: 'offline-quotes' }
    const child = startMain([...args, 'What are berths?'], env)
    await printed(child, 'thinking of boats')
    child.kill('SIGKILL')
    await once(child, 'close')
    const next = await runHere([...args, 'What are berths?'])
    assert.equal(next.code, 0)
    assert.match(next.out, /closed a turn that was left unfinished: failed \(app_restarted\)/)
    assert.ok(next.out.includes(verified))
  })

  test('says in one line what a provider refused, and keeps it', async () => {
    const { args } = places()
    const message = `No credit ${'is left '.repeat(20)}\n    at pay (bank.ts:1:1)`
    const { code, out } = await runHere([...args, 'What are berths?'], await refusingProvider(message))
    assert.equal(code, 1)
    assert.ok(out.endsWith(`: ${message.replace(/\s+/g, ' ')}\nthe turn ended as failed\n`), out)
  })

  test('prints nothing of the folder that would move the cursor', async () => {
    const { args } = places()
    const dir = temporaryFolder({ 'a\u001b[2Jb.md': 'The \u001b]0;title\u0007anchor \u009b31m is red\n' })
    mkdirSync(join(dir, 'x\u0007y'))
    symlinkSync('/', join(dir, 'out\u001b'))
    writeFileSync(join(dir, 'README.md'), 'plain\n')
    for (const question of ['Where is the anchor?', 'What is this folder about?']) {
      const { code, out } = await runHere([...args, '--dir', dir, question])
      assert.equal(code, 0)
      assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }
  })
})
