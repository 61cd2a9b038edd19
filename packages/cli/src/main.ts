#!/usr/bin/env node
/** Looks at the Node.js version before anything is loaded: better-sqlite3 ends an older process without a word. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  await import('./command-line.ts')
} else {
  console.error(`daybook needs Node.js 22.18 or newer; this is ${process.version} (${process.execPath}).`)
  process.exitCode = 1
}
