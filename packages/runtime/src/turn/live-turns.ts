import { ManagerClosedError } from '@daybook/core'
import { type Grace, LiveTurn, type StopInput } from './live-turn.ts'
import type { TurnOutcome } from './turn-outcome.ts'

/** The turns that this process opens or drives. */
export class LiveTurns {
  readonly #turns = new Set<LiveTurn>()
  readonly #grace: Grace
  #isClosed = false

  constructor(grace: Grace) {
    this.#grace = grace
  }

  /** Throws `ManagerClosedError` after `close`. */
  add(sessionId: string): LiveTurn {
    if (this.#isClosed) throw new ManagerClosedError()
    const turn = new LiveTurn(sessionId, this.#grace, () => this.#turns.delete(turn))
    this.#turns.add(turn)
    return turn
  }

  /** Stops the turns of the session, and resolves when they have ended: to the outcome of the one that was opened. */
  async stop(sessionId: string): Promise<TurnOutcome | undefined> {
    const turns = [...this.#turns].filter((turn) => turn.sessionId === sessionId)
    const outcomes = await stopAll(turns, 'stop_requested')
    return outcomes.find((outcome) => outcome !== undefined)
  }

  /** Stops every turn and takes no more; resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    await stopAll([...this.#turns], 'manager_closed')
  }
}

/** Waits for all, then rejects with what the store threw where a terminal event could not be written. */
async function stopAll(turns: readonly LiveTurn[], input: StopInput): Promise<(TurnOutcome | undefined)[]> {
  for (const turn of turns) turn.stop(input)
  await Promise.all(turns.map((turn) => turn.over))
  return Promise.all(turns.map((turn) => turn.ended()))
}
