import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkout, defaultLedger } from './checkout.ts'
import { approve } from './commands/approve.ts'
import { branch } from './commands/branch.ts'
import { type Asked, type Command, UsageError } from './commands/command.ts'
import { deny } from './commands/deny.ts'
import { follow } from './commands/follow.ts'
import { question } from './commands/question.ts'
import { regenerate } from './commands/regenerate.ts'
import { search } from './commands/search.ts'
import { sessions } from './commands/sessions.ts'
import { stop } from './commands/stop.ts'
import { tour } from './commands/tour.ts'
import { defaultBaseUrl, defaultModel } from './model.ts'

/** Those that are chosen by an option of their name. The others are chosen by what is typed beside options. */
const named: Readonly<Record<string, Command>> = { stop, follow, approve, deny, regenerate, branch, sessions, search }

/**
 * Undefined where help is asked for. Relative paths are those of the folder in which the command was typed. Throws
 * `UsageError`, and what `parseArgs` throws.
 */
export function readArguments(
  args: readonly string[],
): { readonly command: Command; readonly asked: Asked } | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(Object.keys(named).map((name) => [name, { type: 'boolean' } as const])),
      reason: { type: 'string' },
      dir: { type: 'string', default: checkout },
      ledger: { type: 'string', default: defaultLedger },
      new: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return undefined
  const text = positionals.length === 0 ? undefined : positionals.join(' ')
  const chosen = Object.keys(named).filter((name) => name in values)
  const [name, another] = chosen
  if (another !== undefined) throw new UsageError(`--${name} and --${another} do not go together`)
  if (values.new && name !== undefined) throw new UsageError(`--new and --${name} do not go together`)
  if (values.reason !== undefined && name !== 'deny') throw new UsageError('--reason goes with --deny alone')
  const command = name === undefined ? (text === undefined ? tour : question) : named[name]!
  const [dir, ledger] = [resolve(values.dir), resolve(values.ledger)]
  return { command, asked: { text, dir, ledger, fresh: values.new, reason: values.reason } }
}

export const help: string = `Asks questions about a folder, and records every fact of the answers in a ledger that can be verified.

${[tour, question, ...Object.values(named)]
  .map(({ usage, summary }) => `  ${`npm start ${usage}`.padEnd(32)}  ${summary}`)
  .join('\n')}
  npm start -- --help               this text

  --dir DIR         the folder to ask about; default: this checkout
  --ledger DIR      where the ledger is kept; default: .daybook in this checkout
  --new             begin a new session
  --reason TEXT     why it is denied, see --deny

  OPENAI_API_KEY    asks a model, and what it reads goes there; without, a small program looks for the words of the question
                    and quotes what it finds
  OPENAI_BASE_URL   of which provider; default: ${defaultBaseUrl}
  DAYBOOK_MODEL     which model; default: ${defaultModel}
  NO_COLOR          no colours

It reads and writes nothing outside of the folder, and leaves out .git, node_modules and what the folder's .gitignore names.
It writes a new file there when it was asked to ("note … to FILE") and that file was approved, and changes nothing else.
It ends with 0 when all is answered and verified, or waits for you; with 1 when not, with 2 when it could not begin, with 130
when it was interrupted.
`
