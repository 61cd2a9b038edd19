/**
 * Package direction, core <- storage <- runtime <- the rest, as manifests and project references state it.
 *
 * The imports themselves are `tsc -b`'s business: it refuses a package that the manifest does not name, a file past another package's
 * exports, and, because projects are composite, a package that only tests depend on. That holds while what is checked here holds.
 */
import { dirname, join, normalize } from 'node:path'
import { report } from './report.ts'
import { readJson, workspacePackages, type WorkspacePackage } from './workspace.ts'

/** What the lower packages may use of the workspace, and what their tests may use besides. Packages not named here are "the rest". */
const lower: Readonly<Record<string, { production: readonly string[]; tests: readonly string[] }>> = {
  '@daybook/core': { production: [], tests: [] },
  '@daybook/storage': { production: ['@daybook/core'], tests: [] },
  '@daybook/runtime': { production: ['@daybook/core'], tests: ['@daybook/storage'] },
}

const root = process.cwd()
const packages = workspacePackages(root)
const byName = new Map(packages.map((one) => [one.manifest.name, one]))
const problems = [...packages.flatMap(directionProblems), ...packages.flatMap(referenceProblems)]
report('direction', packages.length, problems)

function directionProblems({ folder, manifest }: WorkspacePackage): string[] {
  const production = workspaceNames({ ...manifest.dependencies, ...manifest.peerDependencies })
  const tests = workspaceNames(manifest.devDependencies)
  const rule = lower[manifest.name]
  const refused = rule
    ? [
        ...production.filter((name) => !rule.production.includes(name)),
        ...tests.filter((name) => ![...rule.production, ...rule.tests].includes(name)),
      ]
    : // A published package cannot depend on one that is not.
      production.filter((name) => manifest.private !== true && byName.get(name)?.manifest.private === true)
  return refused.map((name) => `${folder}/package.json depends on ${name}, against the direction of the packages`)
}

/** The references of a package's sources are its production dependencies, and the root project knows the package. */
function referenceProblems({ folder, manifest }: WorkspacePackage): string[] {
  const found: string[] = []
  if (!references('tsconfig.json').includes(folder))
    found.push(`tsconfig.json does not reference ${folder}: nothing type-checks it`)
  // The gates are checked as one project: nothing of them is built or published.
  if (manifest.name === '@daybook/gates') return found
  const expected = workspaceNames({ ...manifest.dependencies, ...manifest.peerDependencies })
    .map((name) => `${byName.get(name)?.folder}/tsconfig.src.json`)
    .toSorted()
  const actual = references(`${folder}/tsconfig.src.json`).toSorted()
  if (expected.join() !== actual.join())
    found.push(`${folder}/tsconfig.src.json references [${actual.join()}], its dependencies are [${expected.join()}]`)
  return found
}

function references(project: string): string[] {
  const { references: list = [] } = readJson<{ references?: { path: string }[] }>(join(root, project))
  return list.map(({ path }) => normalize(join(dirname(project), path)).replaceAll('\\', '/'))
}

function workspaceNames(dependencies: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(dependencies).filter((name) => byName.has(name))
}
