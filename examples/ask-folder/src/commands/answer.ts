import type { RequestRecord, SessionRecord } from '@daybook/core'
import { changesOf } from '../session/changes.ts'
import { withLedger } from '../session/ledger.ts'
import { showTurn } from '../session/show-turn.ts'
import { drawRequest, showRequests } from '../terminal/requests.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Asked, Terminal } from './command.ts'
import { withAgent } from './with-agent.ts'

/** Answers the request that was typed, or the only one, and goes on with its turn in the folder and with the model that it has. */
export async function answer(
  decision: 'approved' | 'denied',
  { dir, ledger, text, reason }: Asked,
  terminal: Terminal,
): Promise<number> {
  const { env, screen } = terminal
  const found = await findRequest(ledger, text, screen)
  if (typeof found === 'number') return found
  const { request, session } = found
  const { cwd, model } = session
  const stop = terminal.stopSignal()
  const wanted = { dir: cwd ?? dir, ledger, ...(model !== null && { model }) }
  return withAgent(
    wanted,
    terminal,
    async () => session,
    async (agent, sessionId) => {
      const showChanges = await changesOf(agent, sessionId, screen)
      const { requestId, digest } = request
      const answers = [{ requestId, digest, decision, ...(reason !== undefined && { reason }) }]
      const by = env.USER ? { by: env.USER } : {}
      screen.line()
      for (const line of drawRequest(request)) screen.line(line)
      screen.line()
      screen.line(`> ${decision}${reason === undefined ? '' : `: ${reason}`}`, 'bold')
      const code = await showTurn(agent, sessionId, screen, stop, async (watch) => {
        const { turn } = await agent.manager.answerRequests(sessionId, { answers, watch, ...by })
        return turn
      })
      await showChanges()
      return code
    },
  )
}

/** The exit code where there is not one. */
async function findRequest(
  path: string,
  typed: string | undefined,
  screen: Screen,
): Promise<number | { readonly request: RequestRecord; readonly session: SessionRecord }> {
  const found = await withLedger(path, async ({ manager }) => {
    const { items: open } = await manager.listOpenRequests({ limit: 1000 })
    const meant = typed === undefined ? open : open.filter(({ requestId }) => requestId.startsWith(typed))
    const [request] = meant
    const session = meant.length === 1 && request && (await manager.readSession(request.sessionId))
    if (request && session) return { request, session }
    if (open.length === 0) return undefined
    screen.line(
      meant.length === 0
        ? `No request that waits begins with ${typed}. These wait:`
        : 'Several requests wait: name one.',
    )
    showRequests(open, path, screen)
    return 1
  })
  if (found !== undefined) return found
  screen.line(`nothing waits for an answer on the ledger in ${path}`)
  return typed === undefined ? 0 : 1
}
