/** What JSON can hold without loss. Numbers are finite and never −0; strings are well-formed Unicode. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [key: string]: JsonValue
}
