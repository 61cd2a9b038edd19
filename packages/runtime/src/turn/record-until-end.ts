import { setImmediate } from 'node:timers/promises'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { decodeSessionEvent, type SessionEvent } from '@daybook/core/events'
import type { TurnLedger } from '../ledger/turn-ledger.ts'
import { codeOf, faultOf } from '../ledger/write.ts'
import type { BackendEnd } from './backend-end.ts'
import type { BackendSend } from './backend-send.ts'
import { type Failure, failureFromThrown } from './failure.ts'
import { CutShort, type LiveTurn } from './live-turn.ts'

const missingTerminal: Failure = {
  code: 'missing_terminal_event',
  message: 'the backend ended without complete or abort',
}
const stopTimedOut: Failure = { code: 'stop_timed_out', message: 'the backend did not end after it was stopped' }

/** So many events may come in one go before other work of the process gets its turn. */
const eventsPerBreath = 64

/** Commits what the backend says, then tells it, event by event, until something ends the invocation. */
export async function recordUntilEnd(
  turn: LiveTurn,
  ledger: TurnLedger,
  send: BackendSend,
  turnId: string,
): Promise<BackendEnd> {
  for (let count = 1; ; count++) {
    const next = await nextFact(send, ledger, turnId)
    if ('input' in next) return next
    try {
      const isNew = turn.step('backend_event') === 'record' && (await ledger.record(next.event, next.fact))
      if (isNew) {
        trackWaiting(turn, next.fact)
        await turn.events.give(next.event)
      }
    } catch (error) {
      return { ...endByLedger(error), unrecorded: next.event }
    }
    if (count % eventsPerBreath === 0) await setImmediate()
  }
}

interface Said {
  readonly event: SessionEvent
  readonly fact: RuntimeEvent | undefined
}

async function nextFact(send: BackendSend, ledger: TurnLedger, turnId: string): Promise<Said | BackendEnd> {
  try {
    const pulled = await send.pull()
    if (pulled instanceof CutShort) {
      return pulled.lostBy === undefined
        ? { input: 'stop_timed_out', failure: stopTimedOut }
        : endByLedger(pulled.lostBy)
    }
    if (pulled.done === true) return { input: 'backend_ended_without_terminal', failure: missingTerminal }
    const event = decodeSessionEvent(pulled.value, turnId) as SessionEvent
    ledger.wait = send.wait
    const fact = ledger.factOf(event)
    if (fact?.status !== undefined) return { input: `backend_${fact.status}`, event }
    return { event, fact }
  } catch (error) {
    return { input: 'backend_failed', failure: failureFromThrown(error, codeOf(error) ?? 'backend_threw') }
  }
}

/** A backend that gets its answers live waits for each request, until it says itself that it has the answer. */
function trackWaiting(turn: LiveTurn, fact: RuntimeEvent | undefined): void {
  const { request, answerAck } = fact?.actions ?? {}
  if (request?.wait === 'live') turn.awaits(request.requestId)
  if (answerAck !== undefined) turn.waitsNoMore(answerAck.requestId)
}

/** What the ledger refused: the backend's event, this process as the owner of the run, or any write. */
export function endByLedger(error: unknown): Extract<BackendEnd, { failure: Failure }> {
  const failure = failureFromThrown(error, codeOf(error) ?? 'store_failed')
  switch (faultOf(error)) {
    case 'event':
      return { input: 'backend_failed', failure }
    case 'owner':
      return { input: 'owner_replaced', failure, error }
    case 'store':
      return { input: 'store_failed', failure, error }
  }
}
