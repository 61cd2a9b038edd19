import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { places } from './testing/places.ts'
import { runHere } from './testing/run-main.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

describe('the demo', () => {
  test('says in one line what is wrong with a folder, a ledger or its arguments', async () => {
    const { args } = places()
    const root = temporaryFolder({
      file: 'x',
      'bad/daybook.sqlite': 'not a database, but long enough to look at'.repeat(99),
    })
    const cases = [
      { with: ['--dir', join(root, 'missing')], says: /^FOLDER_UNUSABLE: .*does not exist\n$/ },
      { with: ['--dir', join(root, 'file')], says: /^FOLDER_UNUSABLE: .*is not a folder\n$/ },
      { with: ['--ledger', join(root, 'file')], says: /^ROOT_UNUSABLE: .*\n$/ },
      { with: ['--ledger', join(root, 'bad')], says: /^NOT_A_LEDGER: .*\n$/ },
      { with: ['--ledger', join(root, 'bad'), '--stop'], says: /^NOT_A_LEDGER: .*\n$/ },
      { with: [' '], says: /^INVALID_INPUT: text must not be empty\n$/ },
      { with: ['--stop', '--branch'], says: /^--stop and --branch do not go together\n\nAsks questions/ },
      { with: ['--new', '--regenerate'], says: /^--new and --regenerate do not go together\n/ },
      { with: ['--reason', 'x', '--approve'], says: /^--reason goes with --deny alone\n/ },
      { with: ['--regenerate', 'x'], says: /^--regenerate takes no question\n/ },
      { with: ['--nonsense'], says: /^Unknown option '--nonsense'[^]*\n\nAsks questions/ },
      {
        with: [],
        env: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'localhost/v1' },
        says: /^INVALID_INPUT: OPENAI_BASE_URL must be a URL such as .*\n$/,
      },
    ]
    for (const one of cases) {
      const { code, err } = await runHere([...args, ...one.with], one.env)
      assert.equal(code, 2)
      assert.match(err, one.says)
    }
  })

  test('lists all that can be typed', async () => {
    const { code, out } = await runHere(['--help', '--stop'])
    assert.equal(code, 0)
    const typed = [
      'npm start  ',
      '"your question"',
      '--stop',
      '--approve',
      '--deny',
      '--reason',
      '--regenerate',
      '--branch',
      '--sessions',
    ]
    const more = ['--search', '--help', '--dir', '--ledger', '--new']
    for (const part of [...typed, ...more, 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'DAYBOOK_MODEL'])
      assert.ok(out.includes(part))
  })
})
