/*
 * A foreign writer inserts nine columns and knows nothing of the others: this trigger fills them, and the heads, as an
 * append would. It runs inside whatever SQLite the writer has, so it uses built-in functions alone, and it must not fail:
 * what is not JSON, or not as it should be, is taken for an event that neither opens nor ends anything.
 */

/** Of a member that is there twice `JSON.parse` takes the last, `json_extract` the first. */
function lastMember(json: string, key: string, column: 'type' | 'value' | 'atom'): string {
  return `(SELECT ${column} FROM json_each(${json}) WHERE key = '${key}' ORDER BY id DESC LIMIT 1)`
}

/** The member `inner` of the object that is the member `outer`. */
function lastMemberOf(json: string, outer: string, inner: string, column: 'type' | 'value' | 'atom'): string {
  return lastMember(lastObject(json, outer), inner, column)
}

/** The object that is the member `key`; an empty one where it is none. */
function lastObject(json: string, key: string): string {
  return `CASE ${lastMember(json, key, 'type')} WHEN 'object' THEN ${lastMember(json, key, 'value')} ELSE '{}' END`
}

const json = `CASE WHEN typeof(NEW.payload_json) = 'text' AND json_valid(NEW.payload_json) THEN NEW.payload_json ELSE '{}' END`
const maxSafeInteger = Number.MAX_SAFE_INTEGER

const whole = `${lastMember(json, 'partial', 'type')} IS NOT 'true'`
const status = `CASE ${lastMember(json, 'status', 'type')} WHEN 'text' THEN ${lastMember(json, 'status', 'atom')} END`
const endingStatus = `(SELECT s FROM (SELECT ${status} AS s) WHERE s IN ('completed', 'failed', 'aborted', 'cancelled', 'waiting'))`
const terminal = `(${whole} AND (${endingStatus} IS NOT NULL OR ${lastMemberOf(json, 'actions', 'endInvocation', 'type')} IS 'true'))`
const ts = `(SELECT CAST(t AS INTEGER) FROM (SELECT ${lastMember(json, 'ts', 'atom')} AS t)
  WHERE ${lastMember(json, 'ts', 'type')} IN ('integer', 'real') AND t BETWEEN -${maxSafeInteger} AND ${maxSafeInteger} AND t = CAST(t AS INTEGER))`
const opening = `(NEW.event_seq = 1 AND ${whole} AND ${lastMemberOf(json, 'content', 'kind', 'atom')} IS 'invocation_opened')`
const fresh = `(${lastMemberOf(lastObject(json, 'content'), 'source', 'kind', 'atom')} IS NOT 'continuation'
  AND ${lastMemberOf(json, 'content', 'lineage', 'type')} IS NULL)`

export const foreignRowTrigger: string = `
  CREATE TRIGGER runtime_events_foreign_row AFTER INSERT ON runtime_events WHEN NEW.session_seq IS NULL BEGIN
    UPDATE runtime_events SET
      session_seq = (SELECT coalesce(max(session_seq), 0) + 1 FROM runtime_events WHERE session_id = NEW.session_id),
      opened_at = CASE WHEN ${opening} THEN ${ts} END,
      terminal = CASE WHEN ${terminal} THEN 1 END
    WHERE rowid = NEW.rowid;

    INSERT INTO runtime_heads (
      invocation_id, session_id, run_id, turn_id, epoch, head, terminal_seq, ledger_digest_seq
    )
    SELECT invocation_id, session_id, run_id, turn_id, 0, event_seq, CASE terminal WHEN 1 THEN event_seq END, 0
    FROM runtime_events WHERE rowid = NEW.rowid
    ON CONFLICT (invocation_id) DO UPDATE SET
      head = max(head, excluded.head),
      terminal_seq = min(ifnull(terminal_seq, excluded.terminal_seq), ifnull(excluded.terminal_seq, terminal_seq));

    UPDATE requests SET state = 'unanswered'
    WHERE session_id = NEW.session_id AND request_id IN (
      SELECT request_id FROM requests INDEXED BY requests_open_session WHERE session_id = NEW.session_id AND state = 'open'
    ) AND CASE
      WHEN (SELECT terminal FROM runtime_events WHERE rowid = NEW.rowid) IS 1 THEN
        turn_id = NEW.turn_id AND ${endingStatus} IS NOT 'waiting' AND NOT EXISTS (
          SELECT 1 FROM runtime_events e
          WHERE e.invocation_id = NEW.invocation_id AND e.terminal = 1 AND e.session_id = NEW.session_id
            AND e.event_seq < NEW.event_seq
        )
      WHEN (SELECT opened_at FROM runtime_events WHERE rowid = NEW.rowid) IS NOT NULL THEN
        ${fresh} AND NOT EXISTS (
          SELECT 1 FROM agent_runs r WHERE r.run_id = requests.run_id AND r.parent_invocation_id IS NOT NULL
        )
    END;

    UPDATE agent_runs SET finished_at = NEW.committed_at, state = ifnull(${endingStatus}, 'completed')
    WHERE finished_at IS NULL
      AND run_id = (SELECT run_id FROM runtime_heads WHERE invocation_id = NEW.invocation_id AND terminal_seq = NEW.event_seq);
  END;
`
