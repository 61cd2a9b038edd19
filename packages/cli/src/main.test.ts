import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('says in one line that Node.js is too old, and loads nothing', () => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const main = join(import.meta.dirname, 'main.ts')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, main, 'verify', 'no-such-file'],
    { encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^daybook needs Node\.js 22\.18 or newer; [^\n]*\n$/)
})
