import { runDemo } from './run-demo.ts'
import { terminalScreen } from './terminal/screen.ts'
import { stopSignal } from './terminal/stop-signal.ts'

const terminal = { env: process.env, screen: terminalScreen(process.stdout), stopSignal }
process.exitCode = await runDemo(process.argv.slice(2), terminal, console.error)
