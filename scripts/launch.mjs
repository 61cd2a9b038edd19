/**
 * Preloaded before each entry of this checkout (`node --import ./scripts/launch.mjs …`). Plain JavaScript, so that a Node.js that is too
 * old to read TypeScript can still say so: on Node.js 20 better-sqlite3 ends the process without a word.
 */
import module from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Daybook needs Node.js 22.18 or newer; this is ${process.version} (${process.execPath}).`)
  process.exit(1)
}

// Compiling all the sources takes most of a second: it is done once, for the processes that this one starts as well.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
module.enableCompileCache(process.env.NODE_COMPILE_CACHE)

// npm and pnpm start scripts in the root of the checkout. Relative paths mean the folder in which the command was typed: npm's INIT_CWD,
// handed on as DAYBOOK_CWD because pnpm replaces it.
const typedIn = process.env.DAYBOOK_CWD || process.env.INIT_CWD
if (typedIn) process.chdir(typedIn)
