/** Runs one statement, with values for `$1`, `$2`, …; 64-bit integers come back as number, bigint or text. */
export type SqlQuery = <Row>(text: string, values?: readonly unknown[]) => Promise<{ readonly rows: readonly Row[] }>

/** What Daybook needs of a PostgreSQL database, whatever reaches it. Errors of the server keep their `code`, the SQLSTATE. */
export interface SqlConnection {
  /** In a transaction of its own, and on any connection. */
  readonly query: SqlQuery
  /** Commits what the work does with the query that it is given, or, when it rejects, nothing; at READ COMMITTED. */
  readonly transaction: <Result>(work: (query: SqlQuery) => Promise<Result>) => Promise<Result>
  /** Closing again does nothing. What comes after it gets `StorageClosedError`. */
  readonly close: () => Promise<void>
}
