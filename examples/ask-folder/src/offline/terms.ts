import { dateInWords } from '../search/dates.ts'
import { functionWord } from '../search/words.ts'

const word = new RegExp(`${dateInWords}|[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_.:-]*[\\p{L}\\p{N}])?`, 'giu')

/** The words of a question that have a subject; a date and a joined word (`12 March`, `maxRetries`) is one word. */
export function termsOf(question: string): string[] {
  const text = question.normalize('NFC').replace(/(?:n[’']t|[’'](?:s|re|ve|ll)?)(?!\p{L})/gu, '')
  return [...new Set(text.match(word))].filter((one) => !functionWord.test(one))
}
