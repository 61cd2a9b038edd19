/** One step of the schema. Steps are appended and never changed. */
export interface Migration {
  /** 1 for the first, then one more each. */
  readonly version: number
  /** The oldest code that may write beside this schema, by the highest version that it knows. */
  readonly minCodeVersion: number
  readonly sql: string
}
