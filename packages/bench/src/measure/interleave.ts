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
  const measured = names.map((name) => [name, async () => ({ figure: await variants[name]() })] as const)
  const medians = await interleaveFigures(rounds, Object.fromEntries(measured) as Record<Name, () => Promise<Figure>>)
  return Object.fromEntries(names.map((name) => [name, medians[name].figure])) as Record<Name, number>
}

type Figure = Record<'figure', number>

/** The same for variants that have several figures each: the median of each of them. */
export async function interleaveFigures<Name extends string, FigureName extends string>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<Readonly<Record<FigureName, number>>>>>,
): Promise<Record<Name, Record<FigureName, number>>> {
  const names = Object.keys(variants) as Name[]
  const seen = new Map<Name, Readonly<Record<FigureName, number>>[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figures = await variants[name]()
      if (round > 0) seen.get(name)?.push(figures)
    }
  }
  return Object.fromEntries(names.map((name) => [name, medians(seen.get(name) ?? [])])) as Record<
    Name,
    Record<FigureName, number>
  >
}

function medians<FigureName extends string>(
  rounds: readonly Readonly<Record<FigureName, number>>[],
): Record<FigureName, number> {
  const names = Object.keys(rounds[0] ?? {}) as FigureName[]
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Record<
    FigureName,
    number
  >
}
