import type { RunRecord } from '@daybook/core'
import type { InvocationSource } from '@daybook/core/canonical-runtime-event'
import type { InvocationState } from '@daybook/core/runtime-invocation'

export interface RunRow {
  readonly run_id: string
  readonly invocation_id: string
  readonly session_id: string
  readonly turn_id: string
  readonly source_kind: InvocationSource['kind']
  readonly source_invocation_id: string | null
  readonly parent_invocation_id: string | null
  readonly exclusive: number
  readonly input_digest: Buffer
  readonly opened_at: number
  readonly finished_at: number | null
  readonly state: InvocationState
  readonly epoch: number
  readonly owner_boot_id: string | null
  readonly owner_pid_namespace: string | null
  readonly owner_pid: number
  readonly owner_process_started_at: string | null
  readonly lease_expires_at: number | null
  readonly stop_requested_at: number | null
  readonly stop_requested_by: string | null
}

export function encodeRun(run: RunRecord): RunRow {
  const { source, owner, stopRequest } = run
  return {
    run_id: run.runId,
    invocation_id: run.invocationId,
    session_id: run.sessionId,
    turn_id: run.turnId,
    source_kind: source.kind,
    source_invocation_id:
      source.kind === 'retry' ? source.supersedes : source.kind === 'continuation' ? source.of : null,
    parent_invocation_id: run.parentInvocationId,
    exclusive: Number(run.exclusive),
    input_digest: Buffer.from(run.inputDigest, 'hex'),
    opened_at: run.openedAt,
    finished_at: run.finishedAt,
    state: run.state,
    epoch: run.epoch,
    owner_boot_id: owner.bootId,
    owner_pid_namespace: owner.pidNamespace,
    owner_pid: owner.pid,
    owner_process_started_at: owner.processStartedAt,
    lease_expires_at: run.leaseExpiresAt,
    stop_requested_at: stopRequest?.requestedAt ?? null,
    stop_requested_by: stopRequest?.by ?? null,
  }
}

export function decodeRun(row: RunRow): RunRecord {
  return {
    runId: row.run_id,
    invocationId: row.invocation_id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    source: decodeSource(row.source_kind, row.source_invocation_id ?? ''),
    parentInvocationId: row.parent_invocation_id,
    exclusive: row.exclusive === 1,
    inputDigest: row.input_digest.toString('hex'),
    openedAt: row.opened_at,
    finishedAt: row.finished_at,
    state: row.state,
    owner: {
      bootId: row.owner_boot_id,
      pidNamespace: row.owner_pid_namespace,
      pid: row.owner_pid,
      processStartedAt: row.owner_process_started_at,
    },
    epoch: row.epoch,
    leaseExpiresAt: row.lease_expires_at,
    stopRequest: decodeStopRequest(row),
  }
}

function decodeStopRequest({ stop_requested_at, stop_requested_by }: RunRow): RunRecord['stopRequest'] {
  return stop_requested_at === null ? null : { requestedAt: stop_requested_at, by: stop_requested_by ?? '' }
}

function decodeSource(kind: InvocationSource['kind'], invocationId: string): InvocationSource {
  if (kind === 'retry') return { kind, supersedes: invocationId }
  return kind === 'continuation' ? { kind, of: invocationId } : { kind }
}
