/**
 * In `event_json` a mark stands for the run's id, after which events name their messages: that would be a sixth of the rows.
 * JSON text has no such character.
 */
export function markRunId(json: string, runId: string): string {
  return json.replaceAll(runId, '\u0001')
}

/** SQL for the text that was marked. */
export function unmarkRunId(json: string, runId: string): string {
  return `replace(${json}, char(1), ${runId})`
}
