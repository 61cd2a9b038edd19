import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { finished, printed, runMain, startMain } from './testing/run-main.ts'
import { silentProvider } from './testing/silent-provider.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const files = {
  'README.md': '# Harbour\n\nBooks berths for boats.\n',
  'berths.ts': 'export const maxBoatMetres = 24\n',
}
const verified = 'verified: index equals rebuild'

function places() {
  const ledger = join(temporaryFolder(), 'new', 'ledger')
  return { ledger, args: ['--dir', temporaryFolder(files), '--ledger', ledger] }
}

/** Ids of the sessions in the ledger, and how many invocations each has. */
function sessions(ledger: string): unknown[] {
  const database = new DatabaseSync(join(ledger, 'daybook.sqlite'))
  try {
    const query = `SELECT count(DISTINCT invocation_id) AS invocations FROM runtime_events GROUP BY session_id ORDER BY 1`
    return database
      .prepare(query)
      .all()
      .map((row) => row.invocations)
  } finally {
    database.close()
  }
}

describe('npm start', () => {
  test('takes a tour that ends with a verified ledger', async () => {
    const { args, ledger } = places()
    const { code, out, err } = await runMain(args)
    assert.deepEqual([code, err], [0, ''])
    for (const part of [
      '→ list',
      '→ search',
      'Transcript',
      'Timeline',
      '━',
      verified,
      join(ledger, 'daybook.sqlite'),
      'offline',
    ])
      assert.ok(out.includes(part), `${part} in ${out}`)
    assert.doesNotMatch(out, /\u001b/)
  })

  test('keeps the session from question to question, and begins another when it is asked to', async () => {
    const { args, ledger } = places()
    const first = await runMain([...args, 'How many metres may a boat have?'])
    assert.match(first.out, /berths\.ts:1: export const maxBoatMetres = 24/)
    assert.deepEqual(sessions(ledger), [1])
    const second = await runMain([...args, 'What', 'are', 'berths?'])
    assert.match(second.out, /> What are berths\?/)
    assert.ok(second.out.includes(verified))
    assert.deepEqual(sessions(ledger), [2])
    await runMain([...args, '--new', 'What are berths?'])
    assert.deepEqual(sessions(ledger), [1, 2])
  })

  test('goes on after it was killed in the middle of a turn, and says what it closed', async () => {
    const { args } = places()
    const provider = await silentProvider('thinking of boats')
    const env = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: provider, DAYBOOK_MODEL: 'offline-quotes' }
    const child = startMain([...args, 'What are berths?'], env)
    await printed(child, 'thinking of boats')
    child.kill('SIGKILL')
    await once(child, 'close')
    const next = await runMain([...args, 'What are berths?'])
    assert.equal(next.code, 0)
    assert.match(next.out, /closed a turn that was left unfinished: failed \(app_restarted\)/)
    assert.ok(next.out.includes(verified))
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    test(`ends the turn as aborted on ${signal}`, async () => {
      const { args, ledger } = places()
      const provider = await silentProvider('thinking of boats')
      const child = startMain([...args, 'What are berths?'], { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: provider })
      const ended = finished(child)
      await printed(child, 'thinking of boats')
      child.kill(signal)
      const { code, out } = await ended
      assert.equal(code, 130)
      assert.match(out, /stopped/)
      const database = new DatabaseSync(join(ledger, 'daybook.sqlite'))
      assert.deepEqual({ ...database.prepare('SELECT state FROM agent_runs').get() }, { state: 'aborted' })
      database.close()
    })

  test('refuses a second question while the first is being answered', async () => {
    const { args } = places()
    const provider = await silentProvider('thinking of boats')
    const env = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: provider }
    const child = startMain([...args, 'What are berths?'], env)
    const ended = finished(child)
    await printed(child, 'thinking of boats')
    const second = await runMain([...args, 'What are boats?'], env)
    assert.equal(second.code, 2)
    assert.match(second.err, /^SESSION_BUSY: .*\n$/)
    child.kill('SIGINT')
    await ended
  })

  test('says in one line what a provider refused, and keeps it', async () => {
    const { args } = places()
    const { code, out } = await runMain([...args, 'What are berths?'], {
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
    })
    assert.equal(code, 1)
    assert.match(out, /: Cannot connect to API: .+\nthe turn ended as failed/)
    assert.doesNotMatch(out, / at .*:\d+:\d+/)
  })

  test('says in one line what is wrong with a folder, a ledger or its arguments', async () => {
    const { args, ledger } = places()
    const root = temporaryFolder({
      file: 'x',
      'bad/daybook.sqlite': 'not a database, but long enough to look at'.repeat(99),
    })
    const cases = [
      { with: ['--dir', join(root, 'missing')], says: /^FOLDER_UNUSABLE: .*does not exist\n$/ },
      { with: ['--dir', join(root, 'file')], says: /^FOLDER_UNUSABLE: .*is not a folder\n$/ },
      { with: [...args, '--ledger', join(root, 'file')], says: /^ROOT_UNUSABLE: .*\n$/ },
      { with: [...args, '--ledger', join(root, 'bad')], says: /^NOT_A_LEDGER: .*\n$/ },
      { with: [...args, ' '], says: /^INVALID_INPUT: text must not be empty\n$/ },
      { with: ['--nonsense'], says: /^Unknown option '--nonsense'/ },
      {
        with: args,
        env: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'localhost/v1' },
        says: /^INVALID_INPUT: OPENAI_BASE_URL must be a URL such as .*\n$/,
      },
    ]
    for (const one of cases) {
      const { code, err } = await runMain(['--ledger', ledger, ...one.with], one.env)
      assert.equal(code, 2)
      assert.match(err, one.says)
    }
  })

  test('explains itself', async () => {
    const { code, out } = await runMain(['--help'])
    assert.equal(code, 0)
    for (const part of ['--dir', '--ledger', '--new', 'OPENAI_API_KEY']) assert.ok(out.includes(part))
  })

  test('prints nothing of the folder that would move the cursor', async () => {
    const { args } = places()
    const dir = temporaryFolder({ 'a\u001b[2Jb.md': 'The \u001b]0;title\u0007anchor \u009b31m is red\n' })
    mkdirSync(join(dir, 'x\u0007y'))
    symlinkSync('/', join(dir, 'out\u001b'))
    writeFileSync(join(dir, 'README.md'), 'plain\n')
    for (const question of ['Where is the anchor?', 'What is this folder about?']) {
      const { code, out } = await runMain([...args, '--dir', dir, question])
      assert.equal(code, 0)
      assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }
  })
})
