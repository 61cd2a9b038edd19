import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { openSqlite } from '@daybook/storage'
import { runCli } from './run-cli.ts'

const root = mkdtempSync(join(tmpdir(), 'daybook cli-'))
after(() => rmSync(root, { recursive: true, force: true }))

async function run(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCli(args, { out: (line) => out.push(line), err: (line) => err.push(line) })
  return { code, out, err }
}

describe('daybook', () => {
  test('lists its commands', async () => {
    assert.equal((await run()).code, 2)
    for (const args of [['--help'], ['verify', '--help']]) {
      const { code, out } = await run(...args)
      assert.equal(code, 0)
      assert.match(out.join('\n'), /^Usage:\n {2}daybook verify FILE-or-FOLDER/)
    }
  })

  test('says its version', async () => {
    const { code, out } = await run('--version')
    assert.equal(code, 0)
    assert.match(out.join('\n'), /^\d+\.\d+\.\d+\S*$/)
  })

  test('refuses what it does not know and says what it does', async () => {
    for (const args of [
      ['nonsense'],
      ['constructor'],
      ['verify'],
      ['verify', 'a', 'b'],
      ['verify', ''],
      ['verify', '--nonsense'],
      ['--version', 'verify'],
    ]) {
      const { code, out, err } = await run(...args)
      assert.deepEqual([code, out], [2, []], args.join(' '))
      assert.match(err.join('\n'), /Usage:\n {2}daybook verify/)
    }
  })

  test('verifies a ledger by its folder and by its file', async () => {
    openSqlite(root).close()
    for (const path of [root, join(root, 'daybook.sqlite')])
      assert.deepEqual(await run('verify', path), {
        code: 0,
        out: ['0 sessions, 0 invocations, 0 events: 0 problems, 0 notes', 'verified: index equals rebuild'],
        err: [],
      })
  })

  test('gives the report as JSON', async () => {
    const { out } = await run('verify', root, '--json')
    assert.equal((JSON.parse(out.join('\n')) as { ok: boolean }).ok, true)
  })

  test('verifies the delivery logs in a ledger, and says where one is damaged', async () => {
    const folder = join(root, 'logs')
    mkdirSync(folder)
    const storage = openSqlite(folder)
    const header = { runId: 'alone', threadId: 't', tenant: null, gates: [], userId: null, operatorId: null }
    await storage.agentEvents.writeHeader(header)
    for (const seq of [1, 2]) await storage.agentEvents.append('alone', { seq, event: { type: 'CUSTOM', name: 'n' } })
    storage.close()
    const noted = 'note: log_without_run · log of run alone · is the log of no run here'
    const counts = '0 sessions, 0 invocations, 0 events, 1 log of 2 rows'
    const verified = ['verified: index equals rebuild', 'verified: logs agree with the ledger']
    assert.deepEqual(await run('verify', folder), {
      code: 0,
      out: [noted, `${counts}: 0 problems, 1 note`, ...verified],
      err: [],
    })

    const database = new DatabaseSync(join(folder, 'daybook.sqlite'))
    database.exec(`UPDATE agent_events SET lines = 'no JSON' WHERE last_seq = 2`)
    database.close()
    const problem = 'problem: log_unreadable · log of run alone · row 2 · is not the JSON of an event'
    assert.deepEqual(await run('verify', folder), {
      code: 1,
      out: [problem, noted, `${counts}: 1 problem, 1 note`],
      err: [],
    })
  })

  test('does not take a ledger of newer code for verified', async () => {
    const folder = join(root, 'newer')
    mkdirSync(folder)
    openSqlite(folder).close()
    for (const [minCodeVersion, expected, says] of [
      [1, 1, /^problem: schema_newer · the schema has version 1000, of newer code/m],
      [1000, 2, /^NEWER_LEDGER: .* Upgrade Daybook\.$/m],
    ] as const) {
      // Closed before the command opens the file: two SQLite libraries in one process disturb each other.
      const database = new DatabaseSync(join(folder, 'daybook.sqlite'))
      database.prepare('UPDATE meta SET schema_version = 1000, min_code_version = ?').run(minCodeVersion)
      database.close()
      const { code, out, err } = await run('verify', folder)
      assert.equal(code, expected)
      assert.match([...out, ...err].join('\n'), says)
      assert.doesNotMatch(out.join('\n'), /verified/)
    }
  })

  test('refuses what is no ledger with the code of the error', async () => {
    writeFileSync(join(root, 'text.txt'), 'text '.repeat(1000))
    for (const path of ['text.txt', 'missing', 'missing/x']) {
      const { code, out, err } = await run('verify', join(root, path))
      assert.deepEqual([code, out, err.length], [2, [], 1])
      assert.match(err[0] ?? '', /^(NOT_A_LEDGER|ROOT_UNUSABLE): /)
    }
  })
})
