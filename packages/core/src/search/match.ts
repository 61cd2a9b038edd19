import type { SearchWords } from './check-search.ts'
import { foldedWords, foldText, searchWords } from './words.ts'

/** Whether all that is searched for occurs in the text. */
export function matchesSearch({ whole, beginning }: SearchWords, text: string): boolean {
  const words = searchWords(text)
  return whole.every((word) => words.has(word)) && [...words].some((word) => word.startsWith(beginning))
}

/** UTF-16 units before and from the match on. */
const before = 80
const behind = 120

/** What surrounds the first word of the text that is searched for, with an ellipsis where the text goes on. */
export function searchExcerpt({ whole, beginning }: SearchWords, text: string): string {
  const folded = foldText(text)
  const found = foldedWords(folded).find(({ word }) => whole.includes(word) || word.startsWith(beginning))
  const at = originalIndex(text, found?.at ?? 0)
  const [start, end] = [Math.max(0, at - before), at + behind]
  const excerpt = withoutHalves(text.slice(start, end))
  return `${start > 0 ? '…' : ''}${excerpt}${end < text.length ? '…' : ''}`
}

/** Where something of the folded text stands in the text, give or take a few characters. */
function originalIndex(text: string, foldedIndex: number): number {
  let folded = 0
  for (const { 0: piece, index } of text.matchAll(/[^]{1,32}/gu)) {
    const next = folded + foldText(piece).length
    if (next > foldedIndex) return Math.min(index + foldedIndex - folded, index + piece.length)
    folded = next
  }
  return 0
}

/** Drops halves of a surrogate pair at the ends. */
function withoutHalves(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
}
