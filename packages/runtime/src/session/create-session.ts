import {
  InvalidInputError,
  type JsonObject,
  type PermissionMode,
  type PermissionRule,
  type SessionRecord,
} from '@daybook/core'

export interface CreateSessionInput {
  /** The kind of backend that answers; it must be registered. Default `ai-sdk`. */
  readonly backend?: string
  /** Default `ask`. */
  readonly permissionMode?: PermissionMode
  /** What becomes of the calls of some tools: the first rule that names one decides. Default none. */
  readonly permissionRules?: readonly PermissionRule[]
  readonly cwd?: string
  readonly llmConnectionSlug?: string
  readonly model?: string
  readonly title?: string
  /** What the backend is configured with; default none. */
  readonly settings?: JsonObject
  readonly labels?: readonly string[]
  /** The tenant that owns the session; only calls with its scope see it. */
  readonly tenant?: string
  /** The person it is about, for erasure. */
  readonly subject?: string
  /** The caller's own id, unique in the tenant. */
  readonly externalId?: string
}

const permissionModes: readonly PermissionMode[] = ['ask', 'bypass', 'deny']

/** The record of a new session. Throws `InvalidInputError`; ids, rules and settings are the store's to check. */
export function sessionFromInput(input: CreateSessionInput, id: string, createdAt: number): SessionRecord {
  const permissionMode = input.permissionMode ?? 'ask'
  if (!permissionModes.includes(permissionMode)) {
    throw new InvalidInputError('permissionMode', `must be one of ${permissionModes.join(', ')}`)
  }
  const labels = input.labels ?? []
  if (!Array.isArray(labels)) throw new InvalidInputError('labels', 'must be an array of strings')
  return {
    id,
    tenant: input.tenant ?? null,
    subject: input.subject ?? null,
    externalId: input.externalId ?? null,
    title: textOrNull('title', input.title),
    cwd: textOrNull('cwd', input.cwd),
    backendKind: input.backend ?? 'ai-sdk',
    llmConnectionSlug: textOrNull('llmConnectionSlug', input.llmConnectionSlug),
    model: textOrNull('model', input.model),
    permissionMode,
    permissionRules: input.permissionRules ?? [],
    settings: input.settings ?? {},
    revision: 1,
    labels: labels.map((label, index) => checkText(`labels[${index}]`, label)),
    parentSessionId: null,
    parentSessionSeq: null,
    createdAt,
    archivedAt: null,
  }
}

function textOrNull(field: string, value: unknown): string | null {
  return value === undefined || value === null ? null : checkText(field, value)
}

function checkText(field: string, value: unknown): string {
  if (typeof value === 'string' && value.isWellFormed()) return value
  throw new InvalidInputError(field, 'must be a string without lone surrogates')
}
