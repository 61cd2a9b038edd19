import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { type Folder, FolderError, openFolder, readEntries, walk } from './folder.ts'
import { maxFileBytes, readText } from './text.ts'

const secret = 'the secret outside'

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const outside = temporaryFolder({ 'secret.txt': secret, 'inner/secret.txt': secret })
  const root = temporaryFolder({ 'a.txt': 'inside', 'sub/b.txt': 'below', ...files })
  const folder = await openFolder(root, join(root, '.daybook'))
  return { folder, root, outside }
}

const refused = (folder: Folder, path: string, reason: RegExp) =>
  assert.rejects(readText(folder, path), (error) => error instanceof FolderError && reason.test(error.message), path)

async function walked(folder: Folder, path = '.') {
  const unread: string[] = []
  const files: string[] = []
  for await (const file of walk(folder, path, unread)) files.push(file)
  return { files, unread }
}

describe('a folder', () => {
  test('gives its files by relative and by absolute path', async () => {
    const { folder, root } = await folderWith({})
    for (const path of ['a.txt', './a.txt', 'sub/../a.txt', join(root, 'a.txt'), join(folder.root, 'a.txt')])
      assert.equal(await readText(folder, path), 'inside', path)
  })

  test('refuses what lies outside without asking whether it exists', async () => {
    const { folder, outside, root } = await folderWith({})
    const paths = [
      '..',
      '../x',
      'sub/../../x',
      '/etc/passwd',
      '/no/such/file',
      join(outside, 'secret.txt'),
      `${root}-other/x`,
    ]
    for (const path of paths) await refused(folder, path, /outside of the folder/)
  })

  test('follows a link that stays inside and refuses one that leads out', async () => {
    const { folder, root, outside } = await folderWith({})
    symlinkSync('sub/b.txt', join(root, 'good'))
    symlinkSync(join(outside, 'secret.txt'), join(root, 'absolute'))
    symlinkSync(`../${outside.split('/').at(-1)}/secret.txt`, join(root, 'relative'))
    symlinkSync(outside, join(root, 'folder'))
    symlinkSync('absolute', join(root, 'twice'))
    symlinkSync('/proc/self/root/etc/passwd', join(root, 'proc'))
    assert.equal(await readText(folder, 'good'), 'below')
    for (const path of ['absolute', 'relative', 'folder/secret.txt', 'folder/inner/secret.txt', 'twice', 'proc'])
      await refused(folder, path, /leads out of the folder/)
    await assert.rejects(readEntries(folder, 'folder'), /leads out/)
  })

  test('never gives what lies outside while a name changes between a file and a link', async () => {
    const { folder, root, outside } = await folderWith({ 'turning/secret.txt': 'inside' })
    symlinkSync(outside, join(root, 'away'))
    let turning = true
    const turn = (async () => {
      while (turning) {
        await rename(join(root, 'turning'), join(root, 'aside'))
        await rename(join(root, 'away'), join(root, 'turning'))
        await rename(join(root, 'turning'), join(root, 'away'))
        await rename(join(root, 'aside'), join(root, 'turning'))
      }
    })()
    for (let count = 0; count < 300; count += 1) {
      const text = await readText(folder, 'turning/secret.txt').catch((error: unknown) => {
        assert.ok(error instanceof FolderError, String(error))
        return 'inside'
      })
      assert.equal(text, 'inside')
    }
    turning = false
    await turn
  })

  test('refuses a file that was moved out and replaced by a link to it', async () => {
    const { folder, root, outside } = await folderWith({})
    renameSync(join(root, 'a.txt'), join(outside, 'a.txt'))
    symlinkSync(join(outside, 'a.txt'), join(root, 'a.txt'))
    await refused(folder, 'a.txt', /leads out/)
  })

  test('refuses links that lead nowhere, missing files, folders and impossible paths', async () => {
    const { folder, root } = await folderWith({})
    symlinkSync('loop', join(root, 'loop'))
    symlinkSync('nowhere', join(root, 'dangling'))
    await refused(folder, 'loop', /leads nowhere/)
    await refused(folder, 'dangling', /does not exist/)
    await refused(folder, 'missing', /does not exist/)
    await refused(folder, 'a.txt/below', /is not a folder/)
    await refused(folder, 'sub', /is not a regular file/)
    await refused(folder, 'a\0b', /no NUL/)
    await refused(folder, 'x'.repeat(5000), /too long/)
  })

  test('refuses pipes, sockets and devices without waiting for them', async () => {
    const { folder, root } = await folderWith({})
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')])
    const server = createServer()
    await new Promise<void>((listening) => server.listen(join(root, 'socket'), listening))
    try {
      for (const path of ['pipe', 'socket']) await refused(folder, path, /is not a regular file/)
    } finally {
      server.close()
    }
  })

  test('refuses what this process may not read', async () => {
    const { folder, root } = await folderWith({ 'closed.txt': 'x' })
    const isRoot = process.getuid?.() === 0
    execFileSync('chmod', ['000', join(root, 'closed.txt')])
    execFileSync('chmod', ['755', root])
    if (isRoot) process.seteuid?.(65_534)
    try {
      await refused(folder, 'closed.txt', /permission denied/)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  test('refuses binary files and files that are too large', async () => {
    const { folder } = await folderWith({
      'binary.txt': Buffer.from('a\0b'),
      'large.txt': Buffer.alloc(maxFileBytes + 1, 'x'),
    })
    await refused(folder, 'binary.txt', /binary/)
    await refused(folder, 'large.txt', /too large/)
  })

  test('reads text that is not UTF-8 and drops a byte order mark', async () => {
    const { folder } = await folderWith({ 'latin.txt': Buffer.from('caf\xe9', 'latin1'), 'mark.txt': '\ufeffx' })
    assert.equal(await readText(folder, 'latin.txt'), 'caf\ufffd')
    assert.equal(await readText(folder, 'mark.txt'), 'x')
  })

  test('leaves out .git, node_modules, its ledger and what .gitignore names', async () => {
    const { folder } = await folderWith({
      '.gitignore': '# comment\n\n*.log\n/out/\ndocs/*.tmp\nkeep*\n!keep.txt\n',
      '.git/config': '',
      'node_modules/x/y.js': '',
      'sub/node_modules/x.js': '',
      '.daybook/daybook.sqlite': '',
      'x.log': '',
      'sub/x.log': '',
      'out/x': '',
      'sub/out/x': '',
      'docs/x.tmp': '',
      'docs/deep/x.tmp': '',
      'keep.txt': '',
      'keep.not': '',
    })
    const expected = ['.gitignore', 'a.txt', 'keep.txt', 'docs/deep/x.tmp', 'sub/b.txt', 'sub/out/x']
    assert.deepEqual((await walked(folder)).files, expected)
    for (const path of ['.git/config', 'x.log', 'sub/node_modules/x.js', '.daybook/daybook.sqlite'])
      await refused(folder, path, /is left out/)
    assert.deepEqual(
      (await readEntries(folder, '.')).map((one) => one.name),
      ['.gitignore', 'a.txt', 'docs', 'keep.txt', 'sub'],
    )
  })

  test('walks without following links, from a folder or from one file', async () => {
    const { folder, root, outside } = await folderWith({})
    symlinkSync(outside, join(root, 'folder'))
    symlinkSync('.', join(root, 'self'))
    mkdirSync(join(root, 'empty'))
    assert.deepEqual(await walked(folder), { files: ['a.txt', 'sub/b.txt'], unread: [] })
    assert.deepEqual((await walked(folder, 'sub')).files, ['sub/b.txt'])
    assert.deepEqual((await walked(folder, 'sub/b.txt')).files, ['sub/b.txt'])
  })

  test('does not wait for a .gitignore that is a pipe, nor for one that takes long to match', async () => {
    const root = temporaryFolder({ ['a'.repeat(200)]: '' })
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, '.gitignore')])
    assert.equal((await walked(await openFolder(root, '/'))).files.length, 1)
    const slow = await openFolder(temporaryFolder({ ['a'.repeat(200)]: '', '.gitignore': `${'*a'.repeat(40)}b` }), '/')
    assert.equal((await walked(slow)).files.length, 2)
  })

  test('is refused when it is missing or a file', async () => {
    const root = temporaryFolder({ file: '' })
    await assert.rejects(openFolder(join(root, 'missing'), root), /does not exist/)
    await assert.rejects(openFolder(join(root, 'file'), root), /is not a folder/)
  })

  test('can be a link, and can lie inside of the folder of the ledger', async () => {
    const root = temporaryFolder({ 'asked/a.txt': 'inside' })
    symlinkSync('asked', join(root, 'link'))
    writeFileSync(join(root, 'b.txt'), '')
    const folder = await openFolder(join(root, 'link'), root)
    assert.deepEqual((await walked(folder)).files, ['a.txt'])
  })
})
