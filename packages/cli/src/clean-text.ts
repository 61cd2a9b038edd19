/**
 * Text that somebody else wrote, safe to print: without control characters (line feed stays, a tab becomes a space),
 * so that it cannot move the cursor or reorder what stands beside it.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => (/[\n\u200c\u200d]/.test(character) ? character : ''))
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text.replace(/\s+/g, ' '))
}
