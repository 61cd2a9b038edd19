import { answer } from './answer.ts'
import type { Command } from './command.ts'

export const deny: Command = {
  usage: '-- --deny [REQUEST]',
  summary: 'goes on without running it; the model is told why',
  run: (asked, terminal) => answer('denied', asked, terminal),
}
