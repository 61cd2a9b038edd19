/** Stores with the same identity share one database, so one transaction can span them. Compared by reference. */
export interface StorageIdentity {
  /** For people, such as `sqlite <file>`. */
  readonly description: string
}
