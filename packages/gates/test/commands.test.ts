import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fixtureWorkspace } from './fixture-workspace.ts'

const root = realpathSync(fixtureWorkspace('printed-arguments'))
const folder = join(root, 'a folder of the user')
mkdirSync(folder)
after(() => rmSync(root, { recursive: true, force: true }))

/** What the entry at the end of npm, npx, pnpm, two shells and Node.js was given. */
function npm(...args: readonly string[]): unknown {
  const env = { HOME: process.env['HOME'], PATH: process.env['PATH'] }
  const { stdout, stderr, status } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

describe('npm', () => {
  test('start hands the question to the demo as it was typed', () => {
    const question = `what's in "a b"? $HOME \`id\` \\ * !`
    const args = [question, '--dir', 'x y', '--help']
    assert.deepEqual(npm('start', '--', ...args), { entry: 'examples/ask-folder', args, folder })
  })

  test('run verify hands the file to the command line', () => {
    const args = ['verify', '../led ger.sqlite']
    assert.deepEqual(npm('run', 'verify', '--', '../led ger.sqlite'), { entry: 'packages/cli', args, folder })
  })

  test('run bench hands its options to the benchmark', () => {
    const args = ['--json', 'out put.json']
    assert.deepEqual(npm('run', 'bench', '--', ...args), { entry: 'packages/bench', args, folder })
  })
})
