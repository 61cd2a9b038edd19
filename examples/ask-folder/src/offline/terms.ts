import { dateInWords } from '../search/dates.ts'

/** Words that carry grammar, or that belong to asking. */
const functionWords: ReadonlySet<string> = new Set(
  `a about after again all also am an and any anybody anyone anything are aren as ask at be because been before
  being between both but by can could describe did didn do does doesn doing don down during each either else ever
  every explain few folder for from further get gets getting got had has hasn have haven having he her here hers
  him his how i if in into is isn it its itself just kind let like long made make makes many may me mention might
  more most much must my no nor not of off often on once only or other our out over own per please same say says she
  should show so some somebody someone something such tell than that the their them then there these they this those
  through to too under until up us use used uses using very via was wasn we were what when where whether which while
  who whom whose why will with without would you your`.split(/\s+/),
)

/** What stands before a word that a question is about: `the boiler`, `was Nora`, `for lunch`. */
const introducing =
  /(?:\b(?:an?|the|my|our|your|his|her|its|their|of|in|at|on|for|to|from|by|with|about)|(?:^|\b(?:who|what|when|where|why|how) )(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would)) $/i

const word = new RegExp(`${dateInWords}|[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_.:-]*[\\p{L}\\p{N}])?`, 'giu')

/**
 * The words of a question that have a subject, each with how much of the question hangs on it; a date and a joined word
 * (`12 March`, `maxRetries`) is one word.
 */
export function termsOf(question: string): Map<string, number> {
  const text = question
    .normalize('NFC')
    .replace(/[’'](?:s|t|re|ve|ll)?(?!\p{L})/gu, '')
    .replace(/\s+/g, ' ')
  const terms = new Map<string, number>()
  for (const { 0: one, index } of text.matchAll(word)) {
    const weight = introducing.test(text.slice(0, index)) ? 1.5 : 1
    // In capitals it is a name.
    if (/^\p{Lu}{2,}$/u.test(one) || !functionWords.has(one.toLowerCase()))
      terms.set(one, Math.max(terms.get(one) ?? 0, weight))
  }
  return terms
}
