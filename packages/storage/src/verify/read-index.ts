import { DaybookError, type InvocationCursor, type Page } from '@daybook/core'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'
import type { AuditReader } from './audit-source.ts'

/** A page of the index, or why what it is computed from gives none. */
export type IndexAnswer =
  | { readonly page: Page<InvocationRecord, InvocationCursor>; readonly damage?: never }
  | { readonly page?: never; readonly damage: string }

export function readIndex(
  reader: AuditReader,
  sessionId: string,
  before: InvocationCursor | undefined,
  limit: number,
): IndexAnswer {
  try {
    return { page: reader.indexPage(sessionId, before, limit) }
  } catch (error) {
    if (!DaybookError.is(error) || error.family !== 'damage') throw error
    return { damage: `the index cannot answer: ${error.message}` }
  }
}
