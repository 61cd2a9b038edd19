import type { NewId } from '@daybook/core'

/** Makes `id-1`, `id-2` and so on: each test run has the same ids. */
export function countingIds(prefix: string = 'id'): NewId {
  let count = 0
  return () => `${prefix}-${++count}`
}
