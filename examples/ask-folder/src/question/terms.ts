import { isFunctionWord, wordsOf } from './words.ts'

/** A word to look for. */
export interface Term {
  readonly word: string
  /** How much of the question hangs on it: 1 for a plain word. */
  readonly weight: number
  /** False when its absence says nothing. */
  readonly needed: boolean
}

/** Words about asking, about answers and about folders. */
const vagueWords: ReadonlySet<string> = new Set(
  `according amount answer ask asked call called cause code come contain date day declared defined describe description
  detail document entry example exactly explain explanation file files find first folder give given go goes happen
  happened happens hold holds implement implemented information item keep keeps kept kind last latest line lines
  list located log logs mention mentioned name named need needed needs newest note notes number occur occurred
  people person place point project put reason recent say says see show take takes tell text thing time times took
  type value want way word work works`.split(/\s+/),
)

/** The words of a question that have a subject, each once, in their order. */
export function termsOf(question: string): Term[] {
  const text = question
    .normalize('NFC')
    .replace(/[’']s?(?!\p{L})/gu, '')
    // `how long`, `how many` ask for a measure.
    .replace(/\bhow \p{L}+/giu, 'how')
  // What `which` and `what` ask for is often not said: `which city` is answered by its name.
  const asked = /\b(?:which|what) (?:(.+?) (?:is|are|was|were|do|does|did|has|have|had|can|will|should)\b|(\S+))/i.exec(
    text,
  )
  const askedFor = (asked?.[1] ?? asked?.[2] ?? '').split(' ')
  // A word after a preposition narrows the subject: `the port in production`.
  const narrowing = [
    ...text.matchAll(/\b(?:in|at|for|of|on|from|by|with|to|during) (?:(?:the|an?|our|my|your) )?(\S*[\p{L}\p{N}])/giu),
  ]
  const narrow = narrowing.map(([, word]) => word)
  const terms = new Map<string, Term>()
  const add = (word: string, weight: number, needed: boolean): void => {
    if (!terms.has(word)) terms.set(word, { word, weight, needed })
  }
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}_.:/@-]*[\p{L}\p{N}])?/gu)) {
    const parts = wordsOf(word)
    const named = /\p{N}/u.test(word) || (index > 0 && /^\p{Lu}\p{Ll}/u.test(word))
    // An identifier, a path, a time is looked for as a whole, and its parts only help; `read-only` is two words.
    const whole = parts.length > 1 && (!/^[\p{L}-]+$/u.test(word) || /\p{Ll}\p{Lu}/u.test(word))
    if (parts.length > 1) add(parts.join('-'), whole ? 1.5 : 0.4, whole)
    for (const part of parts) {
      if (isFunctionWord(part) || (whole && part.length < 3)) continue
      if (whole || vagueWords.has(part)) add(part, 0.3, false)
      else add(part, (named ? 1.5 : 1) * (narrow.includes(word) ? 1.4 : 1), named || !askedFor.includes(word))
    }
  }
  const all = [...terms.values()]
  return all.filter((term) => term.needed).length > 1 ? all : all.map((term) => ({ ...term, needed: true }))
}
