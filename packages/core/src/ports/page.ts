/**
 * One page of a listing. `next` is the cursor of the next page, null at the end.
 * `floor` is the lowest position still retained: a reader below it has missed something.
 */
export interface Page<Item, Cursor> {
  readonly items: readonly Item[]
  readonly next: Cursor | null
  readonly floor: number
}

/** The most items that a page has, and what a page has when no limit is given. */
export const maxPageItems: number = 1000
export const defaultPageItems: number = 100
