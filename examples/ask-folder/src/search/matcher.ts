import { stem } from 'porter2'
import { dateInNumbers, datePattern, weekdayTest } from './dates.ts'
import { synonymsOf } from './synonyms.ts'
import { alike, wordsOf } from './words.ts'

/** How well a text holds each of the words, from 0 to 1; undefined when it holds none. */
export type Match = (text: string) => readonly number[] | undefined

const maxRemembered = 20_000
/** How well a text holds a word that it holds a synonym of. */
const synonym = 0.8

export function matcherOf(words: readonly string[]): Match {
  const sources = words.map((word) => datePattern(word) ?? joinedPattern(word))
  const tests = words.map((word, at) => {
    const pattern = sources[at] === undefined ? undefined : new RegExp(sources[at], 'iu')
    return weekdayTest(word) ?? (pattern && ((text: string) => pattern.test(text)))
  })
  const stems = words.map((word, at) => (sources[at] === undefined ? stem(wordsOf(word)[0] ?? '') : ''))
  const synonyms = stems.map(synonymsOf)
  // Words that are alike begin with the same letters (`try` has the stem `tri`); to look for them is much faster.
  const begins = [...stems, ...synonyms.flat()].map((one) => one.slice(0, 3).replace(/i$/, '[iy]'))
  const signs = [...sources, ...begins, words.some(weekdayTest) ? dateInNumbers : ''].filter(Boolean)
  const mayMatch = new RegExp(signs.join('|') || '(?!)', 'iu')
  const held = (one: string): number[] =>
    stems.map((own, at) => (own !== '' && alike(own, one) ? 1 : synonyms[at]!.includes(one) ? synonym : 0))
  const known = new Map<string, readonly number[]>()
  const heldBy = (word: string): readonly number[] => {
    const found = known.get(word) ?? held(stem(word))
    if (known.size > maxRemembered) known.clear()
    known.set(word, found)
    return found
  }
  return (text) => {
    if (!mayMatch.test(text)) return undefined
    const found = tests.map((holds): number => (holds?.(text) ? 1 : 0))
    for (const word of wordsOf(text)) {
      const like = heldBy(word)
      for (let at = 0; at < like.length; at += 1) found[at] = Math.max(found[at]!, like[at]!)
    }
    return found.some((one) => one > 0) ? found : undefined
  }
}

/** `maxRetries`, `worker-3`, `10:42`: the parts side by side, however joined. A number is no piece of a longer one. */
function joinedPattern(word: string): string | undefined {
  const parts = wordsOf(word)
  if (parts.length < 2 && !/^\p{N}/u.test(word)) return undefined
  return `(?<![\\p{L}\\p{N}]|\\p{N}[.,:])${parts.join('[^\\p{L}\\p{N}]?')}(?![.,]?\\p{N})`
}
