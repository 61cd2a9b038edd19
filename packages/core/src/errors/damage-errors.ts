import { DaybookError } from './daybook-error.ts'

/** A stored row is not what Daybook writes. `position` says which, as far as the row tells. */
export class LedgerDamagedError extends DaybookError {
  readonly sessionId: string
  readonly position: string
  constructor(sessionId: string, position: string, problem: string, options?: { cause?: unknown }) {
    super('LEDGER_DAMAGED', `session "${sessionId}", ${position}: ${problem}. Run verify on this ledger.`, options)
    this.sessionId = sessionId
    this.position = position
  }
}
