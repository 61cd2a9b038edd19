import { dateInWords } from '../search/dates.ts'
import { functionWord, measure } from '../search/words.ts'

const word = new RegExp(`${dateInWords}|[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_.:-]*[\\p{L}\\p{N}])?`, 'giu')
const unsaid = new RegExp(`(?<!\\p{L})\\p{L}+n[’']t(?!\\p{L})|[’'](?:s|re|ve|ll|d|m)?(?!\\p{L})|${measure}`, 'giu')

/** The words of a question that have a subject; a date and a joined word (`12 March`, `maxRetries`) is one word. */
export function termsOf(question: string): string[] {
  const text = question.normalize('NFC').replace(unsaid, '')
  return [...new Set(text.match(word))].filter((one) => !functionWord.test(one))
}
