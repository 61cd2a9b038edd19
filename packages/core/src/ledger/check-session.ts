import { InvalidInputError, PayloadTooLargeError } from '../errors/index.ts'
import { encodeCanonicalJson } from '../json/canonical-json.ts'
import { arrayOf, type Check, count, id, object, oneOf, safeInteger, shape, text } from '../json/check.ts'
import { checkId } from '../json/id.ts'
import { utf8Length } from '../json/utf8-length.ts'
import type { PermissionMode, PermissionRule, SessionRecord } from '../ports/session-store.ts'
import { maxEventBytes } from '../runtime-event/encode.ts'
import { toolName } from '../runtime-event/names.ts'

const nullable =
  (check: Check): Check =>
  (value, open) =>
    value === null ? undefined : check(value, open)

const permissionMode = oneOf<PermissionMode>('ask', 'bypass', 'deny')

const sessionRecord: Check = shape({
  id,
  tenant: nullable(id),
  subject: nullable(id),
  externalId: nullable(id),
  title: nullable(text),
  cwd: nullable(text),
  backendKind: id,
  llmConnectionSlug: nullable(text),
  model: nullable(text),
  permissionMode,
  permissionRules: arrayOf(
    shape({ tool: toolName, mode: permissionMode } satisfies Record<keyof PermissionRule, Check>),
    1000,
  ),
  settings: object,
  revision: count,
  labels: arrayOf(text),
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
  return record
}
