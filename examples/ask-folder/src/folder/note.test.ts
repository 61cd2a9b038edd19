import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { FolderError, openFolder } from './folder.ts'
import { writeNote } from './note.ts'

async function folderToWrite() {
  const outside = temporaryFolder({ 'there.txt': 'as it was' })
  const root = temporaryFolder({ 'a.txt': 'inside', 'sub/b.txt': 'below', '.git/config': '', '.gitignore': '*.log\n' })
  return { outside, root, folder: await openFolder(root, join(root, '.daybook')) }
}

describe('a note', () => {
  test('is written into a new file', async () => {
    const { folder, root } = await folderToWrite()
    assert.deepEqual(await writeNote(folder, 'sub/new.md', 'one\ntwo\n'), { path: 'sub/new.md', written: 2 })
    assert.equal(readFileSync(join(root, 'sub/new.md'), 'utf8'), 'one\ntwo\n')
    await writeNote(folder, join(root, 'by-its-whole-path.md'), 'x')
    assert.equal(readFileSync(join(root, 'by-its-whole-path.md'), 'utf8'), 'x')
  })

  test('replaces nothing, and needs a folder that is there', async () => {
    const { folder, root } = await folderToWrite()
    const refused = (path: string, reason: RegExp) =>
      assert.rejects(
        writeNote(folder, path, 'x'),
        (error) => error instanceof FolderError && reason.test(error.message),
      )
    await refused('a.txt', /a\.txt exists already/)
    await refused('sub', /sub exists already/)
    await refused('new/b.md', /does not exist/)
    await refused('a.txt/b.md', /is not a folder/)
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'inside')
  })

  test('leaves the folder on no path and through no link', async () => {
    const { folder, root, outside } = await folderToWrite()
    symlinkSync(outside, join(root, 'away'))
    symlinkSync(join(outside, 'new.txt'), join(root, 'dangling'))
    symlinkSync(join(outside, 'there.txt'), join(root, 'link'))
    const paths = ['../new.txt', join(outside, 'new.txt'), 'sub/../../new.txt', 'away/new.txt', '..', '.', '', 'x\0y']
    for (const path of [...paths, 'dangling', 'link'])
      await assert.rejects(writeNote(folder, path, 'x'), FolderError, path)
    assert.deepEqual(readdirSync(outside), ['there.txt'])
    assert.equal(readFileSync(join(outside, 'there.txt'), 'utf8'), 'as it was')
    assert.equal(existsSync(join(root, '../new.txt')), false)
  })

  test('is not written where questions do not look', async () => {
    const { folder } = await folderToWrite()
    for (const path of ['.git/hook', 'a.log', 'node_modules', '.daybook'])
      await assert.rejects(writeNote(folder, path, 'x'), /is left out of the folder/)
  })

  test('has its content inside while a folder changes between a folder and a link', async () => {
    const { folder, root, outside } = await folderToWrite()
    symlinkSync(outside, join(root, 'away'))
    let turning = true
    const turn = (async () => {
      while (turning) {
        await rename(join(root, 'sub'), join(root, 'aside'))
        await rename(join(root, 'away'), join(root, 'sub'))
        await rename(join(root, 'sub'), join(root, 'away'))
        await rename(join(root, 'aside'), join(root, 'sub'))
      }
    })()
    for (let count = 0; count < 300; count += 1)
      await writeNote(folder, `sub/${count}.md`, 'the content').catch((error: unknown) =>
        assert.ok(error instanceof FolderError, String(error)),
      )
    turning = false
    await turn
    for (const name of readdirSync(outside).filter((one) => one !== 'there.txt'))
      assert.equal(readFileSync(join(outside, name), 'utf8'), '')
  })
})
