import { dateInWords } from '../search/dates.ts'

/** Words that carry grammar, or that belong to asking. */
const functionWords: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be been but by can could did do does each every folder for from get had has
  have he her him his how i if in into is it its like long made make many may me more much must my no not of often on
  only or our out over please shall she should so some such than that the their them then there these they this those to
  until up us use used very was we were what when where which who whom whose why will with would you your`.split(/\s+/),
)

const word = new RegExp(`${dateInWords}|[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_.:-]*[\\p{L}\\p{N}])?`, 'giu')

/** The words of a question that have a subject; a date and a joined word (`12 March`, `maxRetries`) is one word. */
export function termsOf(question: string): string[] {
  const text = question.normalize('NFC').replace(/[’'](?:s|t|re|ve|ll)?(?!\p{L})/gu, '')
  return [...new Set(text.match(word))].filter((one) => !functionWords.has(one.toLowerCase()))
}
