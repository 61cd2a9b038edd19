/**
 * Package direction, core <- storage <- runtime <- the rest, as the manifests state it.
 *
 * The imports are other gates' business: `types` refuses a package that the manifest does not name and a file past
 * another package's exports, `undeclared` refuses in production code what the manifest names for tests.
 */
import { report } from './report.ts'
import { workspacePackages, type WorkspacePackage } from './workspace.ts'

/** What the lower packages may use of the workspace, and what their tests may use besides: so testing stands on core alone. */
const lower: Readonly<Record<string, { production: readonly string[]; tests: readonly string[] }>> = {
  '@daybook/core': { production: [], tests: [] },
  '@daybook/testing': { production: ['@daybook/core'], tests: [] },
  '@daybook/storage': { production: ['@daybook/core'], tests: ['@daybook/testing'] },
  '@daybook/runtime': { production: ['@daybook/core', '@daybook/storage'], tests: ['@daybook/testing'] },
}

const packages = workspacePackages('.')
const byName = new Map(packages.map((one) => [one.manifest.name, one.manifest]))
report('direction', packages.length, packages.flatMap(againstDirection))

function againstDirection({ folder, manifest }: WorkspacePackage): string[] {
  const production = inWorkspace({ ...manifest.dependencies, ...manifest.peerDependencies })
  const tests = inWorkspace(manifest.devDependencies)
  const rule = lower[manifest.name]
  const refused = rule
    ? [
        ...production.filter((name) => !rule.production.includes(name)),
        ...tests.filter((name) => ![...rule.production, ...rule.tests].includes(name)),
      ]
    : // Above runtime a package may use any other, but one that is published only what is published.
      production.filter((name) => manifest.private !== true && byName.get(name)?.private === true)
  return refused.map((name) => `${folder}/package.json depends on ${name}, against the direction of the packages`)
}

function inWorkspace(dependencies: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(dependencies).filter((name) => byName.has(name))
}
