import type { JsonObject } from '../json/json-value.ts'
import type { Page } from './page.ts'
import type { StorageIdentity } from './storage-identity.ts'

/** What becomes of a tool call that needs a person's leave: they are asked, it runs, or it is refused. */
export type PermissionMode = 'ask' | 'bypass' | 'deny'

/** What becomes of the calls of some tools, whether or not they need leave. See `permissionFor`. */
export interface PermissionRule {
  /** The name of a tool, or the beginning of names with `*` behind it. */
  readonly tool: string
  readonly mode: PermissionMode
}

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
  /** The first that names a tool decides about it; the mode of the session about the others. At most 1000. */
  readonly permissionRules: readonly PermissionRule[]
  readonly settings: JsonObject
  /** Counts the changes of the record, from 1. An opening names the one that it runs with. */
  readonly revision: number
  /** At most 100, each once, and each as an id may be. */
  readonly labels: readonly string[]
  /** A branch refers to its parent up to this position, 0 for nothing of it; null for a session of its own. */
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

/** Which sessions a listing has. What is left out does not restrict it. */
export interface SessionFilter {
  /** Default `false`: those that are not archived. `any` has both. */
  readonly archived?: boolean | 'any'
  readonly label?: string
  /** The branches of this session, not theirs. */
  readonly parentSessionId?: string
}

/** What of a session can be changed; null takes a value away, what is left out or undefined stays. */
export interface SessionChanges {
  readonly title?: string | null
  readonly cwd?: string | null
  readonly llmConnectionSlug?: string | null
  readonly model?: string | null
  readonly permissionMode?: PermissionMode
  readonly permissionRules?: readonly PermissionRule[]
  /** The whole of them. */
  readonly settings?: JsonObject
  /** The whole of them. */
  readonly labels?: readonly string[]
  readonly archived?: boolean
}

export interface UpdateSessionRequest {
  readonly sessionId: string
  readonly scope: SessionScope
  readonly changes: SessionChanges
  /** Who changes it, as the caller names them. */
  readonly by?: string
  /** Default whatever it is. */
  readonly expectedRevision?: number
}

/** A change that was recorded, for good: revision 1 is the session as it was created. */
export interface SessionRevision {
  readonly revision: number
  /** By the store's clock. */
  readonly changedAt: number
  readonly by: string | null
  /** The session as it was from then on. */
  readonly session: SessionRecord
}

/** Something that was said in a session, or its title. */
export interface SearchHit {
  readonly session: SessionRecord
  /** Null where the title matches. */
  readonly said: {
    readonly turnId: string
    readonly invocationId: string
    readonly eventSeq: number
    readonly role: 'user' | 'model'
  } | null
  /** What surrounds the first match: at most some 200 characters. */
  readonly excerpt: string
}

export interface SearchQuery {
  readonly scope: SessionScope
  /**
   * Words that must all occur in the title, or in one text, in any order; the last one may be the beginning of a word.
   * Case and accents do not matter. At most 32 words in 1000 characters. See `searchWords` for what a word is.
   */
  readonly text: string
  /** Default 20, at most 100. */
  readonly limit?: number
  /** `next` of the page before. */
  readonly after?: string
}

/** Calls without a scope, or with one that nobody can have, are refused with `InvalidInputError`. */
export interface SessionStore {
  readonly storage: StorageIdentity
  /**
   * Writes the session with its first revision, which is 1, in one transaction. Throws `SessionExistsError` when the id, or
   * the external id in its tenant, is taken; for a branch `SessionNotFoundError` when its parent is not in the same tenant
   * and `InvalidInputError` when the parent has not come to that position.
   */
  create(session: SessionRecord): Promise<SessionRecord>
  /** Undefined when there is none in the scope. */
  read(sessionId: string, scope: SessionScope): Promise<SessionRecord | undefined>
  /** Newest first by (createdAt, id), at most `limit` (default 100, at most 1000). */
  list(query: {
    readonly scope: SessionScope
    readonly filter?: SessionFilter
    readonly limit?: number
    readonly after?: SessionCursor
  }): Promise<Page<SessionRecord, SessionCursor>>
  /**
   * Changes the session and records that as its next revision, in one transaction. Resolves to the session as it then is.
   * Throws `InvalidInputError`, also for changes that name nothing, `SessionNotFoundError`, and `RevisionConflictError`.
   */
  update(request: UpdateSessionRequest): Promise<SessionRecord>
  /** By revision, after the given one (default 0). Throws `SessionNotFoundError`. */
  listRevisions(
    sessionId: string,
    scope: SessionScope,
    query?: { readonly after?: number; readonly limit?: number },
  ): Promise<Page<SessionRevision, number>>
  /**
   * Titles first, those of the newest sessions before others, then what users and models said, newest first, by the order
   * in which the storage took them. Finds what was committed before the call; superseded attempts and archived sessions too.
   * The first search after a while brings its index up to date and takes longer; a storage that is open read-only and finds
   * it behind throws `StorageReadOnlyError`.
   */
  search(query: SearchQuery): Promise<Page<SearchHit, string>>
  /**
   * Removes the session with its revisions, runs, heads, requests and events in one transaction; false when there is none in
   * the scope. Throws `SessionBusyError` while it has an unfinished run, then `SessionHasBranchesError` while there are
   * branches of it unless `branches` is `remove`: then they go with it, and theirs, unless one of them is busy.
   */
  remove(sessionId: string, scope: SessionScope, options?: { readonly branches?: 'remove' }): Promise<boolean>
  close(): void
}
