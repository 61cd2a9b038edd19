import { type Place, rarity, type SearchResult } from '../search/search.ts'
import type { Term } from '../question/terms.ts'
import { stem, wordsOf } from '../question/words.ts'

export interface Ranked {
  readonly place: Place
  /** How much of the question the place holds, each word counted by its weight and by how rare it is: 0 to 1. */
  readonly share: number
}

/** The places that a search found, those first that hold the most of the question. */
export function rank(search: SearchResult, terms: readonly Term[], question: string): Ranked[] {
  const linesOf = new Map(search.words.map(({ word, lines }) => [word, lines]))
  const occurring = terms.filter(({ word }) => (linesOf.get(word) ?? 0) > 0)
  const rarityOf = ({ word }: Term): number => rarity(linesOf.get(word) ?? 0, search.lines)
  // A word that occurs nowhere may be another word for one that does, so it counts as an average word, not as the rarest.
  const average = sum(occurring.map(rarityOf)) / (occurring.length || 1)
  const counted = terms
    .filter((term) => term.needed || occurring.includes(term))
    .map((term) => ({ ...term, weight: term.weight * (occurring.includes(term) ? rarityOf(term) : average) }))
  const all = sum(counted.map((term) => term.weight)) || 1
  const pairs = pairsOf(question)
  return (
    search.places
      // To repeat the question is no answer.
      .filter((place) => !place.text.includes(question.trim()))
      .map((place) => {
        const share = sum(counted.map(({ word, weight }) => weight * (place.words[word] ?? 0))) / all
        const side = pairsOf(place.text)
        // Words that stand side by side in the question and in the place belong together.
        return {
          place,
          share,
          value: share * place.factor * (1 + 0.05 * pairs.filter((pair) => side.includes(pair)).length),
        }
      })
      .sort((a, b) => b.value - a.value)
  )
}

function pairsOf(text: string): string[] {
  const words = wordsOf(text).map(stem)
  return words.slice(1).map((word, at) => `${words[at]} ${word}`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
