import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { workspacePackages } from '../src/workspace.ts'

const gates = dirname(import.meta.dirname)
const root = join(gates, '../..')

/** What the gates read besides the packages: the real files, so that a change to one is a change to what is tested. */
const shared = [
  '.gitignore',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'knip.json',
  'package.json',
  'packages/gates/package.json',
  'packages/gates/src',
  'packages/gates/tsconfig.json',
  'scripts',
  'tsconfig.base.json',
  'tsconfig.test.base.json',
  'tsup.config.ts',
]

/** Lays out the clean fixture in a new folder, with the files of `planted` over it, and links the packages as pnpm would. */
export function fixtureWorkspace(planted?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'daybook gates '))
  for (const path of shared) cpSync(join(root, path), join(folder, path), { recursive: true })
  for (const fixture of ['clean', planted]) {
    if (fixture !== undefined) cpSync(join(gates, 'fixtures', fixture), folder, { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const packages = workspacePackages(folder)
  for (const { folder: from, manifest } of packages) {
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      const to = packages.find((one) => one.manifest.name === name)
      if (to !== undefined) link(join(folder, to.folder), join(folder, from, 'node_modules', name))
    }
  }
  return folder
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) symlinkSync(target, path)
}
