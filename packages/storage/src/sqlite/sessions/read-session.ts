import type { SessionRecord, SessionScope } from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeSession, type SessionRow } from './session-row.ts'

export type ReadSession = (sessionId: string, scope: SessionScope) => SessionRecord | undefined

export function readSession(database: Database): ReadSession {
  const select = database.prepare<[string, string | null], SessionRow>(
    'SELECT * FROM sessions WHERE id = ? AND tenant IS ?',
  )
  return (sessionId, { tenant }) => {
    const row = select.get(sessionId, tenant)
    return row && decodeSession(row)
  }
}
