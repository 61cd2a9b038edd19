import { cleanLine } from '@daybook/cli'
import { withLedger } from '../session/ledger.ts'
import { shortId } from '../terminal/short-id.ts'
import { shorten } from '../terminal/width.ts'
import { type Command, UsageError } from './command.ts'

export const search: Command = {
  usage: '-- --search WORDS',
  summary: 'finds what was said with these words, on this ledger',
  async run({ text, ledger: path }, { screen }) {
    if (text === undefined) throw new UsageError('--search needs words')
    const hits = (await withLedger(path, ({ manager }) => manager.searchSessions({ text })))?.items ?? []
    if (hits.length === 0) screen.line(`nothing was said with these words on the ledger in ${path}`)
    for (const { session, said, excerpt } of hits) {
      const who = said === null ? 'title' : said.role === 'user' ? 'you' : 'agent'
      screen.line(shorten(`${shortId(session.id)}  ${who.padEnd(6)} ${cleanLine(excerpt)}`, screen.columns))
    }
    screen.line('Nothing changed in the ledger', 'dim')
    return 0
  },
}
