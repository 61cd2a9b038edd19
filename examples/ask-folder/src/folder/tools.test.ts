import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { openFolder } from './folder.ts'
import { listFolder, maxEntries } from './list.ts'
import { maxLines, readLines } from './read.ts'

describe('list', () => {
  test('gives at most a page of entries and says how many more there are', async () => {
    const files = Object.fromEntries(Array.from({ length: maxEntries + 3 }, (_, at) => [`${at}`, '']))
    const folder = await openFolder(temporaryFolder(files), '/')
    const list = await listFolder(folder, '.')
    assert.deepEqual([list.entries.length, list.more], [maxEntries, 3])
  })
})

describe('read', () => {
  test('gives the wanted lines with their numbers', async () => {
    const folder = await openFolder(temporaryFolder({ 'a.txt': 'one\r\ntwo\nthree\n' }), '/')
    assert.deepEqual(await readLines(folder, 'a.txt', 2, 1), { path: 'a.txt', from: 2, lines: ['two'], of: 3 })
    assert.deepEqual((await readLines(folder, 'a.txt', 4, 9)).lines, [])
  })

  test('bounds the lines, the length of each, and all together', async () => {
    const folder = await openFolder(
      temporaryFolder({ 'many.txt': 'x\n'.repeat(1000), 'wide.txt': `${'y'.repeat(5000)}\n`.repeat(300) }),
      '/',
    )
    assert.equal((await readLines(folder, 'many.txt', 1, 9999)).lines.length, maxLines)
    const wide = await readLines(folder, 'wide.txt', 1, 300)
    assert.ok(wide.lines.every((line) => line.length === 1001 && line.endsWith('…')))
    assert.ok(JSON.stringify(wide).length < 70_000)
    assert.equal(wide.of, 300)
  })
})
