import { setImmediate } from 'node:timers/promises'
import { modelMessagesFromEvents, type RunRecord, type RuntimeEventStore, type SessionRecord } from '@daybook/core'
import type { ModelMessage } from '@daybook/core/backend-types'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { decodeSessionEvent, type SessionEvent } from '@daybook/core/events'
import { TurnLedger } from '../ledger/turn-ledger.ts'
import { codeOf, faultOf } from '../ledger/write.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import type { BackendEnd } from './backend-end.ts'
import { BackendSend } from './backend-send.ts'
import { endTurn } from './end-turn.ts'
import { type Failure, failureFromThrown } from './failure.ts'
import { CutShort, type LiveTurn } from './live-turn.ts'

/** A turn whose run is in the ledger. */
export interface OpenedTurn {
  readonly session: SessionRecord
  readonly run: RunRecord
  readonly text: string
}

const missingTerminal: Failure = {
  code: 'missing_terminal_event',
  message: 'the backend ended without complete or abort',
}
const stopTimedOut: Failure = { code: 'stop_timed_out', message: 'the backend did not end after it was stopped' }

/** So many events may come in one go before other work of the process gets its turn. */
const eventsPerBreath = 64

/** Lets the backend answer, tells nothing before it is committed, and ends the invocation. Never rejects. */
export async function driveTurn(
  turn: LiveTurn,
  { session, run, text }: OpenedTurn,
  context: RuntimeContext,
): Promise<void> {
  const ledger = new TurnLedger(context.runtimeEventStore, run)
  let send: BackendSend | undefined
  let end: BackendEnd
  try {
    const { turnId, invocationId, runId } = run
    const history = await historyBefore(run, context.runtimeEventStore)
    const input = { turnId, invocationId, runId, text, history, abortSignal: turn.abortSignal }
    send = new BackendSend(turn, session, input, context)
    end = await recordUntilEnd(turn, ledger, send, turnId)
  } catch (error) {
    end = endByLedger(error)
  }
  if (!('event' in end)) send?.interrupt()
  await endTurn(turn, run, ledger, end, context)
  await send?.letGo()
}

async function historyBefore(
  { sessionId, invocationId }: RunRecord,
  store: RuntimeEventStore,
): Promise<ModelMessage[]> {
  const events = await store.readSessionRuntimeEvents(sessionId)
  return modelMessagesFromEvents(events.filter(({ event }) => event.invocationId !== invocationId))
}

async function recordUntilEnd(
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
      if (isNew) await turn.events.give(next.event)
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
    const fact = ledger.factOf(event)
    if (fact?.status !== undefined) return { input: `backend_${fact.status}`, event }
    return { event, fact }
  } catch (error) {
    return { input: 'backend_failed', failure: failureFromThrown(error, codeOf(error) ?? 'backend_threw') }
  }
}

/** What the ledger refused: the backend's event, this process as the owner of the run, or any write. */
function endByLedger(error: unknown): Extract<BackendEnd, { failure: Failure }> {
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
