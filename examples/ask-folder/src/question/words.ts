/** Words that carry grammar and no subject. */
const functionWords: ReadonlySet<string> = new Set(
  `a about after again all also am an and any anybody anyone anything are aren as at be because been before being
  between both but by can could did didn do does doesn doing don down during each either else ever every few for
  from further get gets getting got had has hasn have haven having he her here hers him his how i if in into is isn
  it its itself just kind let like made make makes many may me might more most much must my no nor not of off on
  once only or other our out over own per please same she should so some somebody someone something such sort than
  that the their them then there these they this those through to too under until up us use used uses using very via
  was wasn we were what when where whether which while who whom whose why will with without would you your t s re ve
  ll`.split(/\s+/),
)

export function isFunctionWord(word: string): boolean {
  return functionWords.has(word)
}

/** The words of a text in lower case; identifiers fall apart at their humps and where letters meet digits. */
export function wordsOf(text: string): string[] {
  return (
    text
      .match(/\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}]+/gu)
      ?.map((word) => word.toLowerCase()) ?? []
  )
}

/** Cuts common English endings, so that `retries`, `retried` and `retry` are one word. */
export function stem(word: string): string {
  if (word.length < 4) return word
  const cut = word
    .replace(/ie[sd]$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/([^sui])s$/, '$1')
    .replace(/([aeiouy].*[^e]|[^e][aeiouy][^e])(?:ing|ed)$/, '$1')
    .replace(/(....)ly$/, '$1')
  // Doubled by the ending that is gone: `stopped`, `planning`.
  const single = cut !== word && cut.length > 3 ? cut.replace(/([bdfgmnprt])\1$/, '$1') : cut
  return single.length > 3 ? single.replace(/e$/, '') : single
}

/** What is left of a stem without the ending that makes a noun or a verb of it: `applic(ation)`, `appl(y)`. */
export function rootOf(stemmed: string): string {
  return stemmed.replace(
    /(....)(?:icat(?:ion)?|ation|ition|ion|ment|ness|able|ible|ance|ence|ive|at|ity|ic|al|er|or|y)$/,
    '$1',
  )
}
