import { dateInWords, month } from '../search/dates.ts'
import { matcherOf } from '../search/matcher.ts'

/** Numbers that count nothing: of dates, times, versions, addresses, columns, list items and things with a number. */
const naming = new RegExp(
  `${dateInWords}(?:,? \\d{4})?|\\d+[:/]\\d+|\\d+(?:[.-]\\d+){2,}|\\[\\d+]| {2}[\\d.]+(?= {2})|^ *\\d+[.)] |` +
    '\\bid\\W+\\d+',
  'gim',
)
const count =
  '(?<![\\p{L}\\p{N}_.:/#-])\\d[\\d.,]*(?!\\d|st|nd|rd|th)|\\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|' +
  'twelve|half|\\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand)\\b'
const time = new RegExp(
  `\\d[:-]\\d\\d|\\b(?:${month}|\\w+day|spring|summer|autumn|winter|noon|\\w*night|morning|evening|second|minute|` +
    'hour|week|month|year|when|once|after|before|until|while|if)s?\\b',
  'gi',
)
const person =
  /\b\p{Lu}\p{Ll}+|\b(?:who|\p{L}+body|people|we|you|by the|(?:the|an?|each|every) \p{L}*(?:er|or|ist|ian|man)s?)\b/gu

/** How a question asks, and what its answer holds. */
const kinds = [
  [/\bhow often\b/i, new RegExp(`${count}|\\b(?:each|every|once|twice|daily|weekly|monthly|yearly)\\b`, 'giu')],
  [/\bhow (?:many|much|long|old|far|big|large|high|wide|deep|fast|heavy)\b|\bamount\b/i, new RegExp(count, 'giu')],
  [/\bwhen\b|\bwhat time\b/i, time],
  [/\bwho(?:m|se)?\b(?! (?:is|are|was|were) \p{Lu})/iu, person],
] as const

/**
 * Whether lines answer that hold so much of a question: half, or a little more together with what it expects, as some
 * number, time or name may stand there by chance. One that stands in the question is none.
 */
export function answeredBy(question: string, words: readonly string[]): (lines: string, share: number) => boolean {
  const [, holds] = kinds.find(([asked]) => asked.test(question)) ?? []
  if (holds === undefined) return (_, share) => share >= 0.5
  const match = matcherOf(words)
  return (lines, share) => {
    // A time may stand over what happens then; who and how much stand in the same paragraph or item.
    const counting = lines.replace(naming, ' - ')
    const parts = holds === time ? [lines] : counting.split(/\n\s*(?:\n|[-*|] )/).filter(match)
    return share >= 0.6 && parts.some((part) => part.match(holds)?.some((one) => !words.includes(one)))
  }
}
