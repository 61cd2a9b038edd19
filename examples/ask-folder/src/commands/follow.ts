import type { RunRecord } from '@daybook/core'
import { type Ledger, withLedger } from '../session/ledger.ts'
import { allSessions } from '../session/sessions.ts'
import { readLiveEvents } from '../terminal/live-event.ts'
import { showLiveTurn } from '../terminal/live-turn.ts'
import type { Screen } from '../terminal/screen.ts'
import { interrupted } from '../terminal/stop-signal.ts'
import { type Command, UsageError } from './command.ts'

export const follow: Command = {
  usage: '-- --follow',
  summary: 'watches what is being answered in another terminal, to its end; else shows the newest run again',
  async run({ text, ledger: path }, { screen, stopSignal }) {
    if (text !== undefined) throw new UsageError('--follow takes no question')
    const stop = stopSignal()
    // A run whose process is killed meanwhile is ended from here.
    const options = { recovery: { everyMs: 1000 } }
    const work = async (ledger: Ledger): Promise<boolean> => {
      const run = await runToFollow(ledger)
      if (run !== undefined) await followRun(ledger, run, screen, stop)
      return run !== undefined
    }
    if (!(await withLedger(path, work, options))) screen.line(`there is no run on the ledger in ${path}`)
    return stop.aborted ? interrupted : 0
  },
}

/** Of those that are unfinished the newest, otherwise of all. */
async function runToFollow(ledger: Ledger): Promise<RunRecord | undefined> {
  const { runs } = ledger.storage
  const { items } = await runs.listUnfinishedRuns({ limit: 1000 })
  const found = items.map(({ run }) => run)
  if (found.length === 0) {
    for await (const { id } of allSessions(ledger)) {
      const newest = await runs.readNewestRun(id)
      if (newest !== undefined) found.push(newest)
    }
  }
  return found.sort((a, b) => b.openedAt - a.openedAt)[0]
}

async function followRun({ manager }: Ledger, run: RunRecord, screen: Screen, signal: AbortSignal): Promise<void> {
  const { runId, sessionId, turnId, finishedAt, owner } = run
  const question = (await manager.transcript(sessionId)).find((one) => one.turnId === turnId)?.userText
  screen.line(`process ${owner.pid} ${finishedAt === null ? 'answers' : 'answered'}: ${question}`, 'dim')
  const read = readLiveEvents()
  const show = showLiveTurn(screen)
  // The timers of a manager keep no process alive.
  const awake = setInterval(() => {}, 60_000)
  try {
    const rows = await manager.follow(runId, { after: 0, signal })
    for await (const { event } of rows) {
      const live = read(event)
      if (live !== undefined) show(live)
    }
    const { end } = await rows.ended
    if (end === 'aborted') screen.line()
    else screen.line(end === 'unknown_run' ? 'what it showed is not kept' : `ended: ${end}`, 'dim')
  } finally {
    clearInterval(awake)
  }
}
