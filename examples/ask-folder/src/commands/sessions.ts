import type { SessionRecord } from '@daybook/core'
import { invocationState } from '@daybook/core/runtime-invocation'
import { type Ledger, withLedger } from '../session/ledger.ts'
import { allSessions } from '../session/sessions.ts'
import { drawTree } from '../terminal/tree.ts'
import { type Command, UsageError } from './command.ts'

export const sessions: Command = {
  usage: '-- --sessions',
  summary: 'lists the sessions on this ledger, branches under their parents',
  async run({ text, ledger: path }, { screen }) {
    if (text !== undefined) throw new UsageError('--sessions takes no question')
    const lines = await withLedger(path, async (ledger) => {
      const all: SessionRecord[] = []
      for await (const one of allSessions(ledger)) all.push(one)
      const about = await Promise.all(all.map((one) => describe(ledger, one)))
      return drawTree(all, about, screen.columns)
    })
    for (const line of lines ?? [`there is no ledger in ${path}`]) screen.line(line)
    screen.line('Nothing changed in the ledger', 'dim')
    return 0
  },
}

/** Of its own turns only: those of its parent are told there. */
async function describe({ manager }: Ledger, { id, title }: SessionRecord): Promise<string> {
  const invocations = await manager.listInvocations(id)
  const { items: open } = await manager.listOpenRequests({ sessionId: id })
  const newest = invocations.at(-1)
  const turns = new Set(invocations.map(({ turnId }) => turnId)).size
  const state = newest === undefined ? [] : [invocationState(newest)]
  const waiting = open.length === 0 ? [] : [`${open.length} open`]
  return [`${turns} turn${turns === 1 ? '' : 's'}`, ...state, ...waiting, title ?? 'without a title'].join(' · ')
}
