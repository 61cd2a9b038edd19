import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A folder of its own for a test, removed after it. */
export function temporaryRoot(test: TestContext): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'daybook-'))
  test.after(() => rmSync(root, { recursive: true, force: true }))
  return root
}
