const mark = '\u0001'

/**
 * In `event_json` a mark stands for the run's id, after which events name their messages: that would be a sixth of the rows.
 * JSON text has no such character.
 */
export function markRunId(json: string, runId: string): string {
  return json.replaceAll(runId, mark)
}

/** The text that was marked; undefined where it would have more than so many bytes. `json` has `bytes`. */
export function unmarked(json: string, bytes: number, runId: string, maxBytes: number): string | undefined {
  const marks = json.split(mark).length - 1
  const isTooLarge = bytes + marks * (Buffer.byteLength(runId) - 1) > maxBytes
  return isTooLarge ? undefined : json.replaceAll(mark, () => runId)
}

/** SQL for the text that was marked. */
export function unmarkRunId(json: string, runId: string): string {
  return `replace(${json}, char(1), ${runId})`
}
