import { dateInWords } from './dates.ts'

/** Numbers that count nothing: of dates, times, versions, addresses, processes and list items. */
const naming = new RegExp(
  `${dateInWords}(?:,? \\d{4})?|\\d+:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?|\\d+(?:[.-]\\d+){2,}|\\[\\d+]|^ *\\d+[.)] `,
  'gi',
)
const amount =
  /(?<![\p{L}\p{N}_.:/#-])\d[\d.,]*(?!\d|st|nd|rd|th)|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|once|twice|each|every|daily|weekly|monthly|yearly|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand)\b/iu

/** Of a longer line only so much is looked at. */
const maxCharacters = 1000

/** Whether a line says how many, how much or how often. */
export function holdsAmount(line: string): boolean {
  return amount.test(line.slice(0, maxCharacters).replace(naming, ' - '))
}
