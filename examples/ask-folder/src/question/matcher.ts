import { isFunctionWord, rootOf, stem, wordsOf } from './words.ts'

/** How well a text holds each of the words of a question, from 0 to 1; undefined when it holds none. */
export type Match = (text: string) => number[] | undefined

const maxRemembered = 20_000

export function matcherOfAll(words: readonly string[]): Match {
  const parts = words.map(wordsOf)
  // Whatever holds a word holds its first letters; to look for them is much faster.
  const starts = parts.flatMap(([first]) => first?.slice(0, 3) ?? [])
  const mayMatch = new RegExp(starts.length === 0 ? '(?!)' : starts.join('|'), 'iu')
  const patterns = parts.map(patternOf)
  const plain = parts.flatMap(([whole = ''], index) =>
    patterns[index] === undefined ? [{ index, whole, stem: stem(whole), root: rootOf(stem(whole)) }] : [],
  )
  const fits = new Map<string, readonly number[]>()
  const fitOf = (word: string): readonly number[] => {
    const known = fits.get(word)
    if (known !== undefined) return known
    if (fits.size > maxRemembered) fits.clear()
    const stemmed = stem(word)
    const fit = plain.map((wanted) => kinship(wanted, word, stemmed))
    fits.set(word, fit)
    return fit
  }
  return (text) => {
    if (!mayMatch.test(text)) return undefined
    const found = patterns.map((pattern): number => (pattern?.test(text) ? 1 : 0))
    const inText = wordsOf(text)
    for (let at = 0; at < inText.length; at += 1) {
      const word = inText[at]!
      // Numbers have patterns.
      if (word < ':') continue
      const fit = fitOf(word)
      for (let one = 0; one < plain.length; one += 1) {
        const { index, whole } = plain[one]!
        const isSplit = whole.startsWith(word) && word + inText[at + 1] === whole
        found[index] = Math.max(found[index]!, isSplit ? 1 : fit[one]!)
      }
    }
    return found.some((one) => one > 0) ? found : undefined
  }
}

/** `maxRetries`, `worker-3`, `10:42`: the parts side by side, however joined. A number is no piece of a longer one. */
function patternOf(parts: readonly string[]): RegExp | undefined {
  if (parts.length > 1) {
    return new RegExp(`(?<![\\p{L}\\p{N}])${parts.join('[^\\p{L}\\p{N}]?')}(?!\\p{N})`, 'iu')
  }
  return /^\p{N}/u.test(parts[0] ?? '') ? new RegExp(`(?<!\\p{N}[.,:]?)${parts[0]}(?![.,:]?\\p{N})`, 'u') : undefined
}

/** 1 for the same word in another form, less for a longer word of the same root, and for what may abbreviate it. */
function kinship(wanted: { readonly stem: string; readonly root: string }, word: string, stemmed: string): number {
  if (stemmed === wanted.stem) return 1
  if (wanted.stem.length > 3 && (stemmed.startsWith(wanted.stem) || rootOf(stemmed) === wanted.root)) return 0.7
  return word.length > 2 && /[^aeiuy]$/.test(word) && wanted.stem.startsWith(word) && !isFunctionWord(word) ? 0.4 : 0
}
