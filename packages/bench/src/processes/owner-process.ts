/** Answers a message in a new session, says so once it is in a tool, and waits there to be killed. */
import { openSqlite } from '@daybook/storage'
import { openManager } from '../benches/open-manager.ts'
import { waitingBackend } from '../benches/waiting-backend.ts'

export interface OwnerInput {
  readonly root: string
  readonly leaseMs: number
  /** It takes itself for a process of another machine. */
  readonly elsewhere: boolean
}

const { root, leaseMs, elsewhere } = JSON.parse(process.argv[2] ?? '') as OwnerInput
const backend = waitingBackend({ onTool: () => process.send?.('in the tool') })
const manager = openManager(openSqlite(root), backend, {
  leaseMs,
  ...(elsewhere && { processTable: { bootId: 'another', pidNamespace: null, look: () => undefined } }),
})
process.on('disconnect', () => process.exit())
const { id } = await manager.createSession({ backend: 'scripted' })
await manager.startTurn(id, { text: 'go on' })
