import { dateInWords, month } from '../search/dates.ts'
import { matcherOf } from '../search/matcher.ts'
import type { Place } from '../search/search.ts'
import { measure } from '../search/words.ts'

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
  /\b\p{Lu}\p{Ll}+|\b(?:who|\p{L}+body|people|we|you|by (?!hand)\p{L}+|user\W+\p{L}+|(?:the|an?|each|every) \p{L}*(?:er|or|ist|ian|man)s?)\b/gu

/** Whether a question asks with one of these words: no other such word stands before. */
function first(words: string): RegExp {
  return new RegExp(`^(?:(?!\\b(?:what|which|who|whom|whose|how|why|where|when)\\b).)*\\b(?:${words})\\b`, 'isu')
}

/** How a question asks, what its answer holds, and which words of the question say what was done: the first, the last. */
const kinds = [
  [/\bhow often\b/i, new RegExp(`${count}|\\b(?:each|every|once|twice|daily|weekly|monthly|yearly)\\b`, 'giu'), [-1]],
  [new RegExp(measure, 'iu'), new RegExp(count, 'giu'), [-1]],
  [/\bamount\b|\bwhat\b.* (?:cost|price|fee|rent|number|code|temperature)\b/i, new RegExp(count, 'giu'), [-1]],
  [first('when|(?:what|which) (?:time|day|date|month|year)'), time, [-1]],
  [first('who(?:m|se)?(?! (?:is|are|was|were) \\p{L})'), person, [0]],
  [first('where'), undefined, [0, -1]],
  [first('how (?:do|can|could|should|would|did) (?:I|we|you|they|one)'), undefined, [0]],
] as const

/** Names and numbers of a question: what holds another is about something else. */
const name = /^[\p{Lu}\p{N}]/u

/**
 * Whether a place answers. It lacks no name and holds half of the question. What is asked for by who, when, where or how
 * much may stand by chance: there it holds what was done, and a person, time or number that does not stand in the question.
 */
export function answeredBy(
  question: string,
  words: readonly string[],
): (place: Pick<Place, 'share' | 'lacks'> & { readonly lines: readonly string[] }) => boolean {
  const [, holds, done] = kinds.find(([asked]) => asked.test(question)) ?? []
  const names = words.filter((word) => name.test(word) && !question.startsWith(word))
  const needed = new Set([...names, ...(done ?? []).map((at) => words.at(at))])
  const match = matcherOf(words)
  // In a sentence it stands with at least two of the words; a row, a setting or a line of a log may be short.
  const isAbout = (part: string): boolean =>
    (match(part) ?? []).filter((one) => one > 0.5).length >= Math.min(/[.!?]\s*$/.test(part) ? 2 : 1, words.length)
  return ({ share, lacks, lines }) => {
    if (share < 0.5 || lacks.some((word) => needed.has(word))) return false
    if (holds === undefined) return true
    // A time may stand over what happens then; who and how much stand in the same sentence or item.
    const text = lines.join('\n')
    const parts = text.replace(naming, ' - ').split(/\n\s*(?:\n|[-*|] )|(?<=[.!?])\s+/)
    const near = holds === time ? [text] : parts.filter(isAbout)
    return near.some((part) => part.match(holds)?.some((one) => !words.includes(one)))
  }
}
