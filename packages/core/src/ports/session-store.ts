import type { JsonObject } from '../json/json-value.ts'
import type { Page } from './page.ts'
import type { StorageIdentity } from './storage-identity.ts'

/** What decides whether a tool may run without asking; what each mode asks for is the backend's business. */
export type PermissionMode = 'ask' | 'bypass' | 'deny'

/** A durable conversation with its settings. */
export interface SessionRecord {
  readonly id: string
  /** The tenant that owns it; null where there are no tenants. Never empty. */
  readonly tenant: string | null
  /** The person it is about, for erasure. */
  readonly subject: string | null
  /** The client's own id, unique in its tenant. */
  readonly externalId: string | null
  readonly title: string | null
  readonly cwd: string | null
  readonly backendKind: string
  readonly llmConnectionSlug: string | null
  readonly model: string | null
  readonly permissionMode: PermissionMode
  readonly settings: JsonObject
  /** Counts changes of the settings, from 1. */
  readonly revision: number
  readonly labels: readonly string[]
  /** A branch refers to its parent up to this position; null for a session of its own. */
  readonly parentSessionId: string | null
  readonly parentSessionSeq: number | null
  readonly createdAt: number
  readonly archivedAt: number | null
}

/** Whose sessions a call may see. `tenant: null` means the sessions without a tenant, never all. */
export interface SessionScope {
  readonly tenant: string | null
}

export interface SessionCursor {
  readonly createdAt: number
  readonly id: string
}

/** Calls without a scope, or with one that nobody can have, are refused with `InvalidInputError`. */
export interface SessionStore {
  readonly storage: StorageIdentity
  /** Throws `SessionExistsError` when the id, or the external id in its tenant, is taken. */
  create(session: SessionRecord): Promise<SessionRecord>
  /** Undefined when there is none in the scope. */
  read(sessionId: string, scope: SessionScope): Promise<SessionRecord | undefined>
  /** Newest first by (createdAt, id), at most `limit` (default 100, at most 1000). */
  list(query: {
    readonly scope: SessionScope
    readonly limit?: number
    readonly after?: SessionCursor
  }): Promise<Page<SessionRecord, SessionCursor>>
  /**
   * Removes the session with its runs, heads and events in one transaction; false when there is none in the scope.
   * Throws `SessionBusyError` while it has an unfinished run.
   */
  remove(sessionId: string, scope: SessionScope): Promise<boolean>
  close(): void
}
