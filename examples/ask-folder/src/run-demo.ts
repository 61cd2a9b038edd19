import { describeError } from '@daybook/cli'
import { help, readArguments } from './arguments.ts'
import { type Terminal, UsageError } from './commands/command.ts'
import { FolderError } from './folder/folder.ts'

/** Runs what was typed after `npm start`, and says on `complain` what is wrong with it. Resolves to the exit code; never rejects. */
export async function runDemo(
  args: readonly string[],
  terminal: Terminal,
  complain: (text: string) => void,
): Promise<number> {
  try {
    const chosen = readArguments(args)
    if (chosen !== undefined) return await chosen.command.run(chosen.asked, terminal)
    terminal.screen.write(help)
    return 0
  } catch (error) {
    if (isUsage(error)) complain(`${error.message}\n\n${help}`)
    else complain(error instanceof FolderError ? `FOLDER_UNUSABLE: ${error.message}` : describeError(error))
    return 2
  }
}

/** Also what `parseArgs` throws. */
function isUsage(error: unknown): error is Error {
  return error instanceof UsageError || String((error as { code?: unknown } | null)?.code).startsWith('ERR_PARSE_ARGS')
}
