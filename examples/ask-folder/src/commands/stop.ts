import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunRecord } from '@daybook/core'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage'
import { type Ledger, openLedger } from '../session/ledger.ts'
import { describeEnding } from '../terminal/describe-ending.ts'
import type { Screen } from '../terminal/screen.ts'
import { type Command, UsageError } from './command.ts'

export const stop: Command = {
  usage: '-- --stop',
  summary: 'stops whatever is being answered on this ledger, in any terminal',
  async run({ text, ledger: path }, { screen }) {
    if (text !== undefined) throw new UsageError('--stop takes no question')
    const nothing = `nothing is being answered on the ledger in ${path}`
    if (!existsSync(join(path, OPERATIONAL_STATE_DATABASE_NAME))) {
      screen.line(nothing)
      return 0
    }
    const ledger = openLedger(path)
    try {
      const { items } = await ledger.storage.runs.listUnfinishedRuns({ limit: 1000 })
      if (items.length === 0) screen.line(nothing)
      const ends = await Promise.allSettled(items.map(({ run }) => stopRun(ledger, run, screen)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      return 0
    } finally {
      await ledger.close()
    }
  },
}

async function stopRun({ manager }: Ledger, { sessionId, turnId, owner }: RunRecord, screen: Screen): Promise<void> {
  const question = (await manager.transcript(sessionId)).find((one) => one.turnId === turnId)?.userText
  screen.line(`process ${owner.pid} answers: ${question}`, 'dim')
  const outcome = await manager.stopSession(sessionId)
  screen.line(`${outcome === undefined ? 'had ended' : describeEnding(outcome.state, outcome.ending)}: ${question}`)
}
