const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** How many columns of a terminal a text without control characters takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : /^\p{M}+$/u.test(segment) ? 0 : 1
  return width
}

/** Exactly `width` columns: filled with spaces, or cut and ended with `…`. */
export function fit(text: string, width: number): string {
  const cut = shorten(text, width)
  return cut + ' '.repeat(Math.max(0, width - widthOf(cut)))
}

/** At most `width` columns, ended with `…` where something is missing. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 1
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > width) break
    kept += segment
  }
  return width > 0 ? `${kept}…` : ''
}
