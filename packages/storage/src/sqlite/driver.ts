import { createRequire } from 'node:module'
import { UnsupportedNodeError } from '@daybook/core'
import type DatabaseConstructor from 'better-sqlite3'

export type { Database } from 'better-sqlite3'

/**
 * better-sqlite3, loaded when the first file is opened: on Node.js below 22.18 it ends the process without a word.
 * Throws `UnsupportedNodeError` there.
 */
export function loadDriver(nodeVersion: string = process.versions.node): typeof DatabaseConstructor {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 18)) throw new UnsupportedNodeError(nodeVersion, 'Node.js 22.18 or newer')
  return createRequire(import.meta.url)('better-sqlite3') as typeof DatabaseConstructor
}
