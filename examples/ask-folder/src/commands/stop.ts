import type { RunRecord } from '@daybook/core'
import { type Ledger, withLedger } from '../session/ledger.ts'
import { describeEnding } from '../terminal/describe-ending.ts'
import type { Screen } from '../terminal/screen.ts'
import { type Command, UsageError } from './command.ts'

export const stop: Command = {
  usage: '-- --stop',
  summary: 'stops whatever is being answered on this ledger, in any terminal',
  async run({ text, ledger: path }, { screen }) {
    if (text !== undefined) throw new UsageError('--stop takes no question')
    const stopped = await withLedger(path, async (ledger) => {
      const { items } = await ledger.storage.runs.listUnfinishedRuns({ limit: 1000 })
      const ends = await Promise.allSettled(items.map(({ run }) => stopRun(ledger, run, screen)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      return items.length
    })
    if (!stopped) screen.line(`nothing is being answered on the ledger in ${path}`)
    return 0
  },
}

async function stopRun({ manager }: Ledger, { sessionId, turnId, owner }: RunRecord, screen: Screen): Promise<void> {
  const question = (await manager.transcript(sessionId)).find((one) => one.turnId === turnId)?.userText
  screen.line(`process ${owner.pid} answers: ${question}`, 'dim')
  const outcome = await manager.stopSession(sessionId)
  screen.line(`${outcome === undefined ? 'had ended' : describeEnding(outcome.state, outcome.ending)}: ${question}`)
}
