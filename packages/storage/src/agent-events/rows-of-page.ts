import { maxAgentEventPageLength } from '@daybook/core'

/** The rows of a page among those that follow its position: up to the limit, or until their JSON is long enough. */
export function rowsOfPage<Row>(rows: Iterable<Row>, limit: number, jsonOf: (row: Row) => string): Row[] {
  const page: Row[] = []
  let length = 0
  for (const row of rows) {
    page.push(row)
    length += jsonOf(row).length
    if (page.length === limit || length >= maxAgentEventPageLength) break
  }
  return page
}
