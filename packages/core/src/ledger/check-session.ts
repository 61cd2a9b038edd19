import { InvalidInputError, PayloadTooLargeError } from '../errors/index.ts'
import { encodeCanonicalJson } from '../json/canonical-json.ts'
import {
  arrayOf,
  matching,
  type Check,
  count,
  counter,
  id,
  object,
  oneOf,
  safeInteger,
  shape,
  text,
} from '../json/check.ts'
import { checkId } from '../json/id.ts'
import { utf8Length } from '../json/utf8-length.ts'
import type { PermissionMode, PermissionRule, SessionRecord } from '../ports/session-store.ts'
import { maxEventBytes } from '../runtime-event/encode.ts'
import { toolName } from '../runtime-event/names.ts'

const nullable =
  (check: Check): Check =>
  (value, open) =>
    value === null ? undefined : check(value, open)

/** Each label puts the session into listings of its own. */
const maxLabels = 100

const permissionMode: Check = oneOf<PermissionMode>('ask', 'bypass', 'deny')

/** Of a label: what an id may be. */
export const labelText: Check = id

const distinctLabels: Check = (value, open) => {
  const fault = arrayOf(labelText, maxLabels)(value, open)
  if (fault !== undefined) return fault
  const labels = value as readonly string[]
  const twice = labels.findIndex((label, index) => labels.indexOf(label) < index)
  return twice === -1 ? undefined : { path: `/${twice}`, problem: 'is a label that the session has already' }
}

/** A rule that can name no tool would be believed to protect from one. */
const toolPattern: Check = (value, open) =>
  toolName(value, open) ??
  matching(/^[^*]+\*?$|^\*$/, 'must be the name of a tool, or the beginning of names with * behind it')(value, open)

/** The checks of the fields that can be changed. */
export const changeableFields: Readonly<
  Record<
    'title' | 'cwd' | 'llmConnectionSlug' | 'model' | 'permissionMode' | 'permissionRules' | 'settings' | 'labels',
    Check
  >
> = {
  title: nullable(text),
  cwd: nullable(text),
  llmConnectionSlug: nullable(text),
  model: nullable(text),
  permissionMode,
  permissionRules: arrayOf(
    shape({ tool: toolPattern, mode: permissionMode } satisfies Record<keyof PermissionRule, Check>),
    1000,
  ),
  settings: object,
  labels: distinctLabels,
}

const sessionRecord: Check = shape({
  ...changeableFields,
  id,
  tenant: nullable(id),
  subject: nullable(id),
  externalId: nullable(id),
  backendKind: id,
  revision: counter,
  parentSessionId: nullable(id),
  parentSessionSeq: nullable(count),
  createdAt: safeInteger,
  archivedAt: nullable(safeInteger),
} satisfies Record<keyof SessionRecord, Check>)

/**
 * The record as a store keeps it, sharing nothing with what was given. Throws `InvalidIdError`, `NotCanonicalError`,
 * `InvalidInputError`, or `PayloadTooLargeError` when it has more bytes than an event, which carries its settings, may have.
 */
export function checkSession(given: SessionRecord): SessionRecord {
  checkId('id', given.id)
  for (const field of ['tenant', 'subject', 'externalId', 'parentSessionId'] as const) {
    if (given[field] !== null) checkId(field, given[field])
  }
  const json = encodeCanonicalJson(given)
  const bytes = utf8Length(json)
  if (bytes > maxEventBytes) throw new PayloadTooLargeError('the session', bytes, maxEventBytes)
  const record = JSON.parse(json) as SessionRecord
  const fault = sessionRecord(record, false)
  if (fault !== undefined) throw new InvalidInputError(fault.path.slice(1), fault.problem)
  if ((record.parentSessionId === null) !== (record.parentSessionSeq === null)) {
    throw new InvalidInputError('parentSessionSeq', 'must be given for a branch, and for nothing else')
  }
  return record
}

/** As `checkSession`, for a session that is created: it begins with revision 1. */
export function checkNewSession(given: SessionRecord): SessionRecord {
  const session = checkSession(given)
  if (session.revision === 1) return session
  throw new InvalidInputError('revision', `must be 1 for a session that is created, not ${session.revision}`)
}
