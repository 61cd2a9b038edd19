import { isFunctionWord, rootOf, stem, wordsOf } from './words.ts'

/** How well a text holds each of the words of a question, from 0 to 1; undefined when it holds none. */
export type Match = (text: string) => number[] | undefined

interface TextWord {
  readonly word: string
  readonly stem: string
}

export function matcherOfAll(words: readonly string[]): Match {
  const matchers = words.map(matcherOf)
  // Whatever holds a word holds its first letters; to look for them is much faster.
  const starts = words.flatMap((word) => wordsOf(word)[0]?.slice(0, 3) ?? [])
  const mayMatch = new RegExp(starts.length === 0 ? '(?!)' : starts.join('|'), 'iu')
  return (text) => {
    if (!mayMatch.test(text)) return undefined
    const textWords = wordsOf(text).map((word) => ({ word, stem: stem(word) }))
    const found = matchers.map((matcher) => matcher(text, textWords))
    return found.some((one) => one > 0) ? found : undefined
  }
}

function matcherOf(word: string): (text: string, textWords: readonly TextWord[]) => number {
  const parts = wordsOf(word)
  const [whole = ''] = parts
  if (parts.length > 1 || /\p{N}/u.test(whole)) {
    // `maxRetries`, `worker-3`, `10:42`: the parts side by side, however joined. A number is no piece of a longer one.
    const joined = parts.join('[^\\p{L}\\p{N}]?')
    const exact = new RegExp(
      parts.length > 1 ? `(?<![\\p{L}\\p{N}])${joined}(?!\\p{N})` : `(?<!\\p{N}[.,:]?)${whole}(?![.,:]?\\p{N})`,
      'iu',
    )
    return (text) => (exact.test(text) ? 1 : 0)
  }
  const wanted = stem(whole)
  return (_text, textWords) =>
    textWords.reduce((best, found, at) => {
      const split = found.word + (textWords[at + 1]?.word ?? '') === whole
      return Math.max(best, split ? 1 : kinship(wanted, found))
    }, 0)
}

/** 1 for the same word in another form, less for a longer word of the same root, and for what may abbreviate it. */
function kinship(wanted: string, { word, stem: found }: TextWord): number {
  if (found === wanted) return 1
  if (wanted.length > 3 && (found.startsWith(wanted) || rootOf(found) === rootOf(wanted))) return 0.7
  return word.length > 2 && /[^aeiuy]$/.test(word) && wanted.startsWith(word) && !isFunctionWord(word) ? 0.4 : 0
}
