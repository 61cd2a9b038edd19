/** What is longer is known by its beginning. In UTF-16 units. */
const maxWordLength = 64

/** Scripts that are written without spaces between the words: each of their characters is a word. */
const unspaced = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`
const word = new RegExp(String.raw`[[\p{L}\p{N}]--${unspaced}]+|[[\p{L}\p{N}]&&${unspaced}]`, 'gv')

/**
 * The words of a text as search knows them, each once and in the order of the text: runs of letters and digits, without
 * regard to case, accents and the forms that Unicode calls compatible. Of a long run its first 64 characters count.
 */
export function searchWords(text: string): ReadonlySet<string> {
  return new Set(foldedWords(foldText(text)).map(({ word: found }) => found))
}

export interface FoldedWord {
  readonly word: string
  /** Where it begins in the folded text. */
  readonly at: number
}

export function foldedWords(folded: string): FoldedWord[] {
  return Array.from(folded.matchAll(word), ({ 0: run, index }) => ({ word: cut(run), at: index }))
}

/** Of two texts together this is what it is of each, one behind the other. */
export function foldText(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '')
  // Upper case first: that is one for ß and ss, and for both forms of the small sigma.
  return letters.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

function cut(run: string): string {
  if (run.length <= maxWordLength) return run
  const beginning = run.slice(0, maxWordLength)
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1)
}
