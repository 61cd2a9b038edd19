import { DaybookError } from './daybook-error.ts'

/**
 * What is stored is not what Daybook writes. `position` says where, as far as that can be told: in a session, or, where
 * `sessionId` is null, in the storage as such.
 */
export class LedgerDamagedError extends DaybookError {
  readonly sessionId: string | null
  readonly position: string
  constructor(sessionId: string | null, position: string, problem: string, options?: { cause?: unknown }) {
    const place = sessionId === null ? position : `session "${sessionId}", ${position}`
    super('LEDGER_DAMAGED', `${place}: ${problem}. Run verify on this ledger.`, options)
    this.sessionId = sessionId
    this.position = position
  }
}
