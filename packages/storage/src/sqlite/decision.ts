/**
 * What an operation wants to write. The operation first decides: it reads and may refuse by throwing. What it returns
 * writes and gives the result; only there can a transaction be left with half of something, and is rolled back.
 */
export type Decision<Result> = () => Result
