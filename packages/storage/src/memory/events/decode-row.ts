import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { decodeStoredRow } from '../../stored-event.ts'
import type { MemoryRow } from '../ledger.ts'

/** Throws as `decodeStoredRow` does. */
export function decodeRow(row: MemoryRow): StoredRuntimeEvent {
  return decodeStoredRow({ ...row, isForeign: row.payloadDigest === null })
}
