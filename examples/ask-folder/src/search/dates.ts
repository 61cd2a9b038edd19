const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** The name of a month, whole or short; one group. */
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'

/** A day or a month of a year in words: `12 March`, `March 12th`, `March 2026`; groups: day, month, month, day, year. */
export const dateInWords: string = `\\b(?:(\\d\\d?)(?:st|nd|rd|th)? (?:of )?${month}|${month} (?:(\\d\\d?)(?:st|nd|rd|th)?|(\\d{4})))\\b`

const whole = new RegExp(`^${dateInWords}$`, 'i')

/** What finds a date that is given in words, however it is written; undefined when this is none. */
export function datePattern(word: string): string | undefined {
  const [, dayBefore, monthAfter, monthBefore = monthAfter, dayAfter = dayBefore, year] = whole.exec(word) ?? []
  if (monthBefore === undefined) return undefined
  const name = monthBefore.slice(0, 3).toLowerCase()
  const number = String(months.indexOf(name) + 1).padStart(2, '0')
  if (year !== undefined) return `(?<!\\d)${year}-${number}(?!\\d)|\\b${name}[a-z]* ${year}`
  const day = String(Number(dayAfter))
  const inWords = `\\b${name}[a-z]*\\.? {1,2}0?${day}(?!\\d)|(?<!\\d)0?${day}(?:\\.|st|nd|rd|th)? (?:of )?${name}`
  return `(?<!\\d)${number}-${day.padStart(2, '0')}(?!\\d)|${inWords}`
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** A day in numbers: `2026-03-12`, `12.03.2026`. */
export const dateInNumbers = '(?<!\\d)(?:(\\d{4})-(\\d\\d)-(\\d\\d)|(\\d\\d?)\\.(\\d\\d?)\\.(\\d{4}))(?!\\d)'
const days = new RegExp(dateInNumbers, 'g')

/** What finds a day of the week: its name, its short name in a date, or a date in numbers on it; undefined when the word is none. */
export function weekdayTest(word: string): ((text: string) => boolean) | undefined {
  const wanted = weekdays.indexOf(word.toLowerCase().replace(/s$/, ''))
  if (wanted === -1) return undefined
  const name = weekdays[wanted]!
  const named = new RegExp(`\\b(?:${name}s?\\b|${name.slice(0, 3)}[.,]? {1,2}(?:\\d|${month}))`, 'i')
  const isOn = ([, year, month, day, otherDay = day, otherMonth = month, otherYear = year]: RegExpExecArray): boolean =>
    new Date(Date.UTC(Number(otherYear), Number(otherMonth) - 1, Number(otherDay))).getUTCDay() === wanted
  return (text) => named.test(text) || [...text.matchAll(days)].some(isOn)
}
