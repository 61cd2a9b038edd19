/** One place where a producer's value had no lossless JSON text, and what was stored instead. */
export interface StorableChange {
  /** JSON Pointer into the session event. */
  readonly path: string
  /** What was there, such as `bigint`, `date`, `lone_surrogate`, `cycle`; see `makeStorable`. */
  readonly was: string
}
