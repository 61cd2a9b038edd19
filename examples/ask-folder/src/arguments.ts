import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkout } from './checkout.ts'
import type { Asked, Command } from './commands/command.ts'
import { question } from './commands/question.ts'
import { stop } from './commands/stop.ts'
import { tour } from './commands/tour.ts'
import { defaultBaseUrl, defaultModel } from './model.ts'

/** Those that are chosen by an option of their name. The others are chosen by what is typed beside options. */
const named: Readonly<Record<string, Command>> = { stop }

/**
 * Undefined where help is asked for. Relative paths are those of the folder in which the command was typed. Throws what
 * `parseArgs` throws.
 */
export function readArguments(
  args: readonly string[],
): { readonly command: Command; readonly asked: Asked } | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(Object.keys(named).map((name) => [name, { type: 'boolean' } as const])),
      dir: { type: 'string', default: checkout },
      ledger: { type: 'string', default: resolve(checkout, '.daybook') },
      new: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return undefined
  const text = positionals.length === 0 ? undefined : positionals.join(' ')
  const [chosen] = Object.entries(named).flatMap(([name, command]) => (name in values ? [command] : []))
  return {
    command: chosen ?? (text === undefined ? tour : question),
    asked: { text, dir: resolve(values.dir), ledger: resolve(values.ledger), fresh: values.new },
  }
}

export const help: string = `Asks questions about a folder, and records every fact of the answers in a ledger that can be verified.

${[tour, question, ...Object.values(named)]
  .map(({ usage, summary }) => `  ${`npm start ${usage}`.padEnd(30)}  ${summary}`)
  .join('\n')}
  npm start -- --help             this text

  --dir DIR         the folder to ask about; default: this checkout
  --ledger DIR      where the ledger is kept; default: .daybook in this checkout
  --new             begin a new session

  OPENAI_API_KEY    asks a model, and what it reads goes there; without, a small program looks for the words of the question
                    and quotes what it finds
  OPENAI_BASE_URL   of which provider; default: ${defaultBaseUrl}
  DAYBOOK_MODEL     which model; default: ${defaultModel}
  NO_COLOR          no colours

It reads nothing outside of the folder, and leaves out .git, node_modules and what the folder's .gitignore names.
It ends with 0 when all is answered and verified, with 1 when not, 2 when it could not begin, 130 when it was interrupted.
`
