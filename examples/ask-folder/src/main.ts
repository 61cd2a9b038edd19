import { describeError } from '@daybook/cli'
import { type Arguments, help, readArguments } from './arguments.ts'
import { askFolder, interrupted } from './ask-folder.ts'
import { FolderError } from './folder/folder.ts'
import { terminalScreen } from './terminal/screen.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  let asked: Arguments
  try {
    asked = readArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    return 2
  }
  const screen = terminalScreen(process.stdout)
  if (asked.help) {
    screen.write(help)
    return 0
  }
  try {
    return await askFolder(asked, process.env, screen, stopSignal())
  } catch (error) {
    console.error(error instanceof FolderError ? `FOLDER_UNUSABLE: ${error.message}` : describeError(error))
    return 2
  }
}

/** Aborted by the first Ctrl-C, which lets the turn be ended in the ledger; the second ends the process. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (controller.signal.aborted ? process.exit(interrupted) : controller.abort()))
  // Nobody reads any more.
  process.stdout.on('error', () => controller.abort())
  return controller.signal
}
