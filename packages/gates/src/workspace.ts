import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

export interface WorkspacePackage {
  /** Relative to the root of the workspace, with forward slashes. */
  readonly folder: string
  readonly manifest: Manifest
}

/** The packages under `root`, in the order of their folders; throws when there are none. */
export function workspacePackages(root: string): WorkspacePackage[] {
  const folders = globSync(['packages/*', 'examples/*'], { cwd: root })
    .map((folder) => folder.replaceAll('\\', '/'))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .toSorted()
  if (folders.length === 0) throw new Error(`no packages under ${root}`)
  return folders.map((folder) => ({ folder, manifest: readJson<Manifest>(join(root, folder, 'package.json')) }))
}

export function readJson<Value>(file: string): Value {
  return JSON.parse(readFileSync(file, 'utf8')) as Value
}
