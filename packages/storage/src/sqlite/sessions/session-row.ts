import {
  checkSession,
  LedgerDamagedError,
  type PermissionMode,
  type PermissionRule,
  type SessionRecord,
} from '@daybook/core'

export interface SessionRow {
  readonly id: string
  readonly tenant: string | null
  readonly subject: string | null
  readonly external_id: string | null
  readonly title: string | null
  readonly cwd: string | null
  readonly backend_kind: string
  readonly llm_connection_slug: string | null
  readonly model: string | null
  readonly permission_mode: PermissionMode
  readonly permission_rules: string
  readonly settings: string
  readonly revision: number
  readonly labels: string
  readonly parent_session_id: string | null
  readonly parent_session_seq: number | null
  readonly created_at: number
  readonly archived_at: number | null
}

export function encodeSession(session: SessionRecord): SessionRow {
  return {
    id: session.id,
    tenant: session.tenant,
    subject: session.subject,
    external_id: session.externalId,
    title: session.title,
    cwd: session.cwd,
    backend_kind: session.backendKind,
    llm_connection_slug: session.llmConnectionSlug,
    model: session.model,
    permission_mode: session.permissionMode,
    permission_rules: JSON.stringify(session.permissionRules),
    settings: JSON.stringify(session.settings),
    revision: session.revision,
    labels: JSON.stringify(session.labels),
    parent_session_id: session.parentSessionId,
    parent_session_seq: session.parentSessionSeq,
    created_at: session.createdAt,
    archived_at: session.archivedAt,
  }
}

/** Throws `LedgerDamagedError` where the row is not that of a session. */
export function decodeSession(row: SessionRow): SessionRecord {
  try {
    return checkSession(recordOf(row))
  } catch (error) {
    throw new LedgerDamagedError(row.id, 'its row', (error as Error).message, { cause: error })
  }
}

function recordOf(row: SessionRow): SessionRecord {
  return {
    id: row.id,
    tenant: row.tenant,
    subject: row.subject,
    externalId: row.external_id,
    title: row.title,
    cwd: row.cwd,
    backendKind: row.backend_kind,
    llmConnectionSlug: row.llm_connection_slug,
    model: row.model,
    permissionMode: row.permission_mode,
    permissionRules: JSON.parse(row.permission_rules) as PermissionRule[],
    settings: JSON.parse(row.settings) as SessionRecord['settings'],
    revision: row.revision,
    labels: JSON.parse(row.labels) as string[],
    parentSessionId: row.parent_session_id,
    parentSessionSeq: row.parent_session_seq,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
  }
}
