/** The smallest value that at least this share of the values, above 0 and at most 1, does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]
  if (value === undefined) throw new RangeError('no values to take a percentile of')
  return value
}
