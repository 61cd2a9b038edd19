import { type AgentEventRow, LedgerDamagedError } from '@daybook/core'

/** Throws `LedgerDamagedError` where what is stored is no JSON. */
export function decodeRow(runId: string, seq: number, json: string): AgentEventRow {
  try {
    return { seq, event: JSON.parse(json) }
  } catch (error) {
    const place = `row ${seq} of the delivery log of run "${runId}"`
    throw new LedgerDamagedError(null, place, (error as Error).message, { cause: error })
  }
}
