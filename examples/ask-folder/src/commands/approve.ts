import { answer } from './answer.ts'
import type { Command } from './command.ts'

export const approve: Command = {
  usage: '-- --approve [REQUEST]',
  summary: 'lets the tool run that waits for it, and the turn goes on; of several, shows them',
  run: (asked, terminal) => answer('approved', asked, terminal),
}
