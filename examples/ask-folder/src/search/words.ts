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

/** How far two stems are one word, from 0 to 1: `deliver` and `delivery` much, `max` and `maximum` little. */
export function likeness(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let same = 0
  while (same < short.length && short[same] === long[same]) same += 1
  const share = same / long.length
  return share >= (same === short.length && same > 2 ? 0.4 : 0.75) ? share * share : 0
}
