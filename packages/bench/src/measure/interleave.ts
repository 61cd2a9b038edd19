import { median } from './median.ts'

/**
 * Runs every variant once a round, so that a slow moment of the machine hits all of them, and answers each variant's
 * median over the rounds. The order is turned around every other round. A first round, in which code is compiled and
 * caches are filled, does not count.
 */
export async function interleave<Name extends string>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(variants) as Name[]
  const seen = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figure = await variants[name]()
      if (round > 0) seen.get(name)?.push(figure)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(seen.get(name) ?? [])])) as Record<Name, number>
}
