/**
 * Orders text by Unicode code point, as SQLite's BINARY and Postgres' "C" order its UTF-8.
 * JavaScript's `<` orders by UTF-16 unit, which puts U+E000–U+FFFF after everything beyond the BMP.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const unitA = a.charCodeAt(index)
    const unitB = b.charCodeAt(index)
    if (unitA !== unitB) return rank(unitA) - rank(unitB)
  }
  return a.length - b.length
}

/** Lifts the surrogates, which stand for code points beyond the BMP, above every other unit. */
function rank(unit: number): number {
  return (unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit
}
