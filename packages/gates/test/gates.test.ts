import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fixtureWorkspace } from './fixture-workspace.ts'
import { runGate } from './run-gate.ts'

/** Each violation is a folder of `fixtures/`, laid over `fixtures/clean`; `says` is what the gate answers to it. */
const violations: readonly { gate: string; in?: string; planted: string; says: RegExp }[] = [
  { gate: 'types', planted: 'type-error', says: /total\.ts.*TS2322/ },
  { gate: 'types', planted: 'type-error-in-test', says: /total\.test\.ts.*TS2345/ },
  { gate: 'types', planted: 'upward-import', says: /TS2307.*'@daybook\/runtime'/ },
  { gate: 'types', planted: 'upward-relative-import', says: /TS6059|TS6307/ },
  { gate: 'undeclared', planted: 'test-dependency-in-source', says: /Unlisted[^]*@daybook\/storage/ },
  { gate: 'types', planted: 'deep-import', says: /TS2307.*'@daybook\/core\/src\/total\.ts'/ },
  { gate: 'types', planted: 'node-in-core', says: /TS2307.*'node:fs'|TS2591.*'node:fs'/ },
  { gate: 'lint', planted: 'floating-promise', says: /no-floating-promises/ },
  { gate: 'lint', planted: 'floating-promise-in-test', says: /no-floating-promises/ },
  { gate: 'lint', planted: 'import-cycle', says: /no-cycle/ },
  { gate: 'lint', planted: 'type-cycle', says: /no-cycle/ },
  { gate: 'format', planted: 'unformatted', says: /total\.ts/ },
  { gate: 'direction', planted: 'upward-dependency', says: /storage\/package\.json depends on @daybook\/runtime/ },
  { gate: 'covered', planted: 'package-left-out', says: /does not reference packages\/extra/ },
  { gate: 'unused', planted: 'unused-export', says: /Unused exports[^]*product/ },
  { gate: 'unused', planted: 'unused-file', says: /Unused files[^]*product\.ts/ },
  { gate: 'unused', planted: 'unused-dependency', says: /Unused dependencies[^]*@daybook\/core/ },
  { gate: 'readme', planted: 'readme-example', says: /README\.md\.1\.ts.*TS2305/ },
  { gate: 'readme', planted: 'readme-without-example', says: /nothing to check/ },
  { gate: 'packed', in: 'packages/core', planted: 'publint', says: /publint refuses/ },
  { gate: 'packed', in: 'packages/core', planted: 'attw', says: /attw refuses/ },
  { gate: 'test', in: 'packages/core', planted: 'failing-test', says: /fail 1/ },
  { gate: 'test', in: 'packages/core', planted: 'skipped-suite', says: /suite "total" is skipped/ },
  { gate: 'test', in: 'packages/core', planted: 'no-test', says: /no test ran/ },
]
const gates = [...new Map(violations.map((one) => [one.gate, one.in ?? '.']))]

describe('a gate', { concurrency: 2 }, () => {
  for (const [gate, folder] of gates) {
    test(`"${gate}" passes on a clean workspace`, async () => {
      const { passed, output } = await inWorkspace(undefined, (root) => runGate(gate, join(root, folder)))
      assert.ok(passed, output)
    })
  }
  for (const { gate, in: folder = '.', planted, says } of violations) {
    test(`"${gate}" refuses ${planted.replaceAll('-', ' ')}`, async () => {
      const { passed, output } = await inWorkspace(planted, (root) => runGate(gate, join(root, folder)))
      assert.match(output, says)
      assert.equal(passed, false)
    })
  }
})

async function inWorkspace<Result>(
  planted: string | undefined,
  use: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = fixtureWorkspace(planted)
  try {
    return await use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
