/** One figure of the benchmark. */
export interface BenchResult {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What DESIGN.md asks for; absent for figures that are only told. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number }
}

/** Whether a figure meets its target; undefined for one without. */
export function meetsTarget(result: BenchResult): boolean | undefined {
  if (result.target === undefined) return undefined
  return 'atLeast' in result.target ? result.value >= result.target.atLeast : result.value <= result.target.atMost
}
