import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const launch = pathToFileURL(join(import.meta.dirname, '../../../scripts/launch.mjs')).href
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'daybook launch ')))
const entry = join(folder, 'entry.ts')
writeFileSync(entry, 'const where: string = process.cwd()\nconsole.log(where)\n')
after(() => rmSync(folder, { recursive: true }))

function start(imports: readonly string[], env: Readonly<Record<string, string>>): ReturnType<typeof spawnSync> {
  const { INIT_CWD: _, DAYBOOK_CWD: __, ...inherited } = process.env
  const preloads = imports.flatMap((url) => ['--import', url])
  return spawnSync(process.execPath, [...preloads, entry], { encoding: 'utf8', env: { ...inherited, ...env } })
}

describe('launch', () => {
  test('says in one line that Node.js is too old', () => {
    for (const version of ['20.20.2', '22.17.1']) {
      const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
      const { status, stdout, stderr } = start([`data:text/javascript,${encodeURIComponent(pretend)}`, launch], {})
      assert.equal(status, 1)
      assert.equal(stdout, '')
      assert.match(String(stderr), /^Daybook needs Node\.js 22\.18 or newer; [^\n]*\n$/)
    }
  })

  test('runs the entry in the folder that the command was typed in', () => {
    assert.equal(start([launch], { INIT_CWD: folder }).stdout, `${folder}\n`)
    assert.equal(start([launch], { INIT_CWD: tmpdir(), DAYBOOK_CWD: folder }).stdout, `${folder}\n`)
    assert.equal(start([launch], {}).stdout, `${process.cwd()}\n`)
  })
})
