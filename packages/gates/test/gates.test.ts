import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fixtureWorkspace } from './fixture-workspace.ts'
import { runGate } from './run-gate.ts'

/** `planted` is a folder of `fixtures/`, laid over `fixtures/clean`; `says` is what the gate answers to what is in it. */
const violations: readonly { gate: string; in?: string; planted: string; says: readonly RegExp[] }[] = [
  { gate: 'types', planted: 'type-errors', says: [/total\.ts.*TS2322/, /total\.test\.ts.*TS2345/] },
  {
    gate: 'types',
    planted: 'wrong-imports',
    says: [
      /core\/src\/total\.ts.*'node:fs'/,
      /storage\/src\/upward\.ts.*'@daybook\/runtime'/,
      /storage\/src\/upward-by-path\.ts.*TS6307/,
      /storage\/src\/deep\.ts.*'@daybook\/core\/src\/total\.ts'/,
    ],
  },
  {
    gate: 'lint',
    planted: 'floating-promises',
    says: [/no-floating-promises[^]*index\.ts/, /no-floating-promises[^]*index\.test\.ts/],
  },
  {
    gate: 'lint',
    planted: 'import-cycles',
    says: [/no-cycle.*\n.*core\/src\/(none|total)\.ts/, /no-cycle.*\n.*core\/src\/amounts?\.ts/],
  },
  { gate: 'lint', planted: 'import-by-path', says: [/no-restricted-imports.*'..\/..\/storage\/src\/index\.ts'/] },
  { gate: 'format', planted: 'unformatted', says: [/total\.ts/] },
  { gate: 'direction', planted: 'upward-dependency', says: [/storage\/package\.json depends on @daybook\/runtime/] },
  { gate: 'covered', planted: 'package-left-out', says: [/does not reference packages\/extra/] },
  {
    gate: 'unused',
    planted: 'unused',
    says: [
      /Unused files[^]*core\/src\/product\.ts/,
      /Unused dependencies[^]*@daybook\/core *packages\/storage/,
      /Unused exports[^]*product *function *packages\/core\/src\/total\.ts/,
    ],
  },
  {
    gate: 'undeclared',
    planted: 'test-dependency-in-source',
    says: [/Unlisted dependencies[^]*@daybook\/storage *packages\/runtime\/src/],
  },
  { gate: 'readme', planted: 'readme-example', says: [/README\.md\.1\.ts\(4,10\).*TS2305/] },
  { gate: 'readme', planted: 'readme-without-example', says: [/nothing to check/] },
  { gate: 'packed', in: 'packages/core', planted: 'publint', says: [/publint refuses/] },
  { gate: 'packed', in: 'packages/core', planted: 'attw', says: [/attw refuses/] },
  ...['test', 'test-apart'].flatMap((gate) => [
    { gate, in: 'packages/core', planted: 'failing-test', says: [/fail 1/] },
    { gate, in: 'packages/core', planted: 'skipped-suite', says: [/suite "total" is skipped/] },
    { gate, in: 'packages/core', planted: 'no-test', says: [/no test ran/] },
  ]),
  { gate: 'test', in: 'packages/core', planted: 'ending-test', says: [/ended before the tests did/] },
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
    test(`"${gate}" refuses what is planted in ${planted}`, async () => {
      const { passed, output } = await inWorkspace(planted, (root) => runGate(gate, join(root, folder)))
      for (const pattern of says) assert.match(output, pattern)
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
