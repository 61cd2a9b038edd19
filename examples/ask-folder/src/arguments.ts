import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** The checkout that this file is part of. */
export const checkout: string = resolve(fileURLToPath(import.meta.url), '../../../..')

export interface Arguments {
  /** Undefined for the tour. */
  readonly question: string | undefined
  readonly dir: string
  readonly ledger: string
  readonly fresh: boolean
  readonly help: boolean
}

export const help: string = `Asks questions about a folder, and records every fact of the answers in a ledger that can be verified.

  npm start                          a tour: two questions, and what the ledger says of them
  npm start -- "your question"       asks it; the next question goes on from there

  --dir DIR       the folder to ask about; default: this checkout
  --ledger DIR    where the ledger is kept; default: .daybook in this checkout
  --new           begin a new session
  --help          this text

With OPENAI_API_KEY (and OPENAI_BASE_URL, DAYBOOK_MODEL) it asks that model, and what it reads goes there. Without, a small
program looks for the words of the question and quotes what it finds. It reads nothing outside of the folder, and leaves
out .git, node_modules and what the folder's .gitignore names.
`

/** Relative paths are those of the folder in which the command was typed. Throws what `parseArgs` throws. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      dir: { type: 'string', default: checkout },
      ledger: { type: 'string', default: resolve(checkout, '.daybook') },
      new: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  return {
    question: positionals.length === 0 ? undefined : positionals.join(' '),
    dir: resolve(values.dir),
    ledger: resolve(values.ledger),
    fresh: values.new,
    help: values.help,
  }
}
