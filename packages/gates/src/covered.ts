/** No package is left out of a gate: each is type-checked and tested, and what is published is built and checked packed. */
import { globSync } from 'node:fs'
import { join } from 'node:path/posix'
import { report } from './report.ts'
import { readJson, workspacePackages, type WorkspacePackage } from './workspace.ts'

const packages = workspacePackages('.')
const projects = readJson<{ references: { path: string }[] }>('tsconfig.json').references.map(({ path }) => join(path))
report('covered', packages.length, packages.flatMap(omissions))

function omissions({ folder, manifest }: WorkspacePackage): string[] {
  const omitted: string[] = []
  if (!projects.includes(folder)) omitted.push(`tsconfig.json does not reference ${folder}: nothing type-checks it`)
  const wanted = manifest.private === true ? [] : ['build', 'packed']
  if (globSync(`${folder}/{src,test}/**/*.test.ts`).length > 0) wanted.push('test')
  for (const script of wanted) {
    if (manifest.scripts?.[script] === undefined) omitted.push(`${folder}/package.json has no script "${script}"`)
  }
  return omitted
}
