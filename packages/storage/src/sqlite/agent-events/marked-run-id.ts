const mark = '\u0001'

/**
 * In `lines` a mark stands for the run's id, after which events name their messages: that would be a sixth of the rows.
 * JSON text has no such character.
 */
export function markRunId(json: string, runId: string): string {
  return json.replaceAll(runId, mark)
}

/** The text that was marked, and its bytes; undefined where it would have more than so many. */
export function unmarked(
  marked: { readonly json: string; readonly bytes: number },
  runId: { readonly text: string; readonly bytes: number },
  maxBytes: number,
): { readonly json: string; readonly bytes: number } | undefined {
  const parts = marked.json.split(mark)
  const bytes = marked.bytes + (parts.length - 1) * (runId.bytes - 1)
  return bytes > maxBytes ? undefined : { json: parts.join(runId.text), bytes }
}

/** SQL for the text that was marked. */
export function unmarkRunId(json: string, runId: string): string {
  return `replace(${json}, char(1), ${runId})`
}
