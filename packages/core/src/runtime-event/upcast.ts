import type { JsonObject } from '../json/json-value.ts'

/** Turns an event of one version into the same event of the next. */
export type Upcast = (event: JsonObject) => JsonObject

/** The step at index n − 1 starts from version n. Version 1 is the newest, so there is none yet. */
const steps: readonly Upcast[] = []

/** Brings an event of any older version to the newest. An event of newer code stays as it is. */
export function upcast(event: JsonObject, stepsByVersion: readonly Upcast[] = steps): JsonObject {
  const version = typeof event.v === 'number' ? event.v : 1
  return stepsByVersion.slice(version - 1).reduce((older, step) => step(older), event)
}
