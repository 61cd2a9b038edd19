import { readFileSync } from 'node:fs'
import { type Command, type Output, UsageError } from './commands/command.ts'
import { verify } from './commands/verify.ts'
import { describeError } from './describe-error.ts'

const commands: Readonly<Record<string, Command>> = { verify }

/**
 * Runs `daybook` with these arguments. Resolves to the exit code: 0 all is well, 1 the ledger has problems, 2 the
 * arguments are wrong or the ledger cannot be read. Never rejects.
 */
export async function runCli(args: readonly string[], output: Output): Promise<number> {
  const [name = '--help', ...rest] = args
  if (name === '--version' && rest.length === 0) {
    output.out(version())
    return 0
  }
  if (name === '--help' || rest.includes('--help')) {
    for (const line of ['Usage:', ...help()]) output.out(line)
    return args.length === 0 ? 2 : 0
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) throw new UsageError(`there is no command ${name}`)
    return await command.run(rest, output)
  } catch (error) {
    if (!isUsage(error)) {
      output.err(describeError(error))
      return 2
    }
    output.err(`${error.message}. Usage:`)
    for (const line of help()) output.err(line)
    return 2
  }
}

function help(): string[] {
  return [
    ...Object.entries(commands).map(([name, { usage, summary }]) => `  daybook ${name} ${usage}    ${summary}`),
    '  daybook --version    say the version of daybook',
    '  daybook --help       say this',
  ]
}

/** The manifest stands one folder above the source as it does above the build. */
function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** Also what `parseArgs` throws. */
function isUsage(error: unknown): error is Error {
  return error instanceof UsageError || String((error as { code?: unknown } | null)?.code).startsWith('ERR_PARSE_ARGS')
}
