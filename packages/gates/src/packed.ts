/** Packs the package in the current folder as it would be published, and asks publint and attw about the tarball. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'daybook-packed-'))
try {
  const packed = execFileSync('pnpm', ['pack', '--json', '--pack-destination', folder], { encoding: 'utf8' })
  const { filename } = JSON.parse(packed) as { filename: string }
  ask('publint', ['run', filename, '--strict'])
  // The tarball is all there is to ask about: nothing is looked up elsewhere.
  ask('attw', [filename, '--profile', 'esm-only', '--no-definitely-typed', '--format', 'ascii'])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function ask(tool: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(tool, args, { encoding: 'utf8' })
  if (status !== 0) fail(`${tool} refuses the package:\n${stdout}${stderr}${error?.message ?? ''}`)
}

function fail(reason: string): void {
  console.error(`packed: ${reason}`)
  process.exitCode = 1
}
