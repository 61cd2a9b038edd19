import type { RequestAnswer } from '@daybook/runtime/session-manager'
import { openApp } from './app.ts'

/**
 * Another process that answers whatever is open in the ledger of a folder, all with the same answer, and runs no models.
 * Prints how many it answered.
 */
const [root, sessionId, answer] = process.argv.slice(2) as [string, string, string]
const { manager, close } = openApp(root)
const { items } = await manager.listOpenRequests({ sessionId })
const given = JSON.parse(answer) as object
const { requests } = await manager.answerRequests(sessionId, {
  answers: items.map(({ requestId, digest }) => ({ requestId, digest, ...given }) as RequestAnswer),
  by: 'the other process',
})
await close()
console.log(requests.length)
