import type { Fact, Question } from './questions.ts'

/**
 * An answerable question hits when the answer shows one of its facts; it is denied when the fact is shown, but below the words that no
 * answer was found. To say so is right for a question without facts.
 */
export type Verdict = 'hit' | 'denied' | 'miss' | 'none found' | 'answered'

interface Judgement {
  verdict: Verdict
  /** Where the facts stand, and what the answer quotes: each as `file:line`. */
  expected: string[]
  quoted: string[]
}

/** How far from its fact a quoted line may be, in lines. The words of the fact have to be shown all the same. */
const nearby = 2

/** Judges what the example printed. `read` gives the text of a file of the folder that was asked about. */
export function judge(question: Question, printed: string, read: (file: string) => string): Judgement {
  const quotes = [...printed.matchAll(/^[> ] (\S+):(\d+): /gm)].map(([, file = '', line]) => ({
    file,
    line: Number(line),
  }))
  const facts = question.facts.map((fact) => ({ ...fact, line: lineOf(fact, read(fact.file)) }))
  const shown = facts.some(
    (fact) =>
      printed.includes(fact.words) &&
      quotes.some((quote) => quote.file === fact.file && Math.abs(quote.line - fact.line) <= nearby),
  )
  const noneFound = /\bfound no answer\b/i.test(printed)
  return { verdict: verdict(facts.length > 0, shown, noneFound), expected: places(facts), quoted: places(quotes) }
}

function verdict(answerable: boolean, shown: boolean, noneFound: boolean): Verdict {
  if (!answerable) return noneFound ? 'none found' : 'answered'
  if (!shown) return 'miss'
  return noneFound ? 'denied' : 'hit'
}

function lineOf({ file, words }: Fact, text: string): number {
  const found = text.split('\n').flatMap((line, index) => (line.includes(words) ? [index + 1] : []))
  if (found.length !== 1) throw new Error(`"${words}" stands on ${found.length} lines of ${file}, not on one`)
  return found[0]!
}

function places(all: readonly { file: string; line: number }[]): string[] {
  return all.map(({ file, line }) => `${file}:${line}`)
}
