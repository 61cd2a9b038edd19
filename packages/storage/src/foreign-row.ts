/** A row as a foreign writer inserts it into `runtime_events`: these nine columns and no more. */
export interface ForeignRow {
  readonly event_id: string
  readonly session_id: string
  readonly invocation_id: string
  readonly run_id: string
  readonly turn_id: string
  readonly event_seq: number
  readonly event_kind: string
  readonly payload_json: string
  readonly committed_at: number
}
