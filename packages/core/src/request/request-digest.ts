import { encodeCanonicalJson } from '../json/canonical-json.ts'
import { pick } from '../json/pick.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import type { RequestAction } from '../runtime-event/actions.ts'

/** SHA-256 in lower-case hex of the canonical JSON of everything that a person decides on: id, kind, call and payload. */
export function requestDigest(sha256: Sha256, request: RequestAction): string {
  return sha256(encodeCanonicalJson(pick(request, 'kind', 'payload', 'requestId', 'toolCallId')))
}
