import fc from 'fast-check'
import { LedgerDamagedError, StorageBusyError, StorageFullError, StorageIoError } from '@daybook/core'
import type { SessionEvent, StopReason } from '@daybook/core/events'
import type { Fault } from './faulty-events.ts'
import { aborted, eventsOf, type Script } from './scripted-backend.ts'

type Saying =
  | { readonly do: 'delta' | 'thought' | 'text' | 'call' | 'result' | 'question' | 'error'; readonly id: string }
  | { readonly do: 'complete'; readonly reason: StopReason }
  | { readonly do: 'abort' | 'repeat' | 'conflict' | 'conflicting end' }

/** One thing that a backend does. */
type Move =
  | Saying
  | { readonly do: 'pause' | 'throw' | 'end' | 'untilAborted' | 'hang' }
  | { readonly do: 'garbage'; readonly value: unknown }

export interface RandomTurn {
  readonly moves: readonly Move[]
  /** How many events the consumer takes before it does something else. */
  readonly taken: number
  readonly next: 'read on' | 'leave' | 'detach' | 'stop' | 'stop unread'
  /** What becomes of the appends of the turn, in order; those beyond succeed. */
  readonly faults: readonly Fault[]
  /** The same of the rows of its delivery log that are written without a fact. */
  readonly rowFaults: readonly Fault[]
}

const id = fc.constantFrom('a', 'b', 'c')
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('delta', 'text', 'call', 'result'), id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('thought', 'question', 'error'), id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('repeat', 'conflict', 'abort', 'conflicting end') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause', 'throw', 'end', 'untilAborted', 'hang') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('garbage' as const), value: fc.anything() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('complete' as const),
      reason: fc.constantFrom<StopReason>('end_turn', 'max_tokens', 'step_limit', 'user_stop', 'waiting', 'error'),
    }),
  },
)
const failure: fc.Arbitrary<Fault> = fc.record({
  error: fc.constantFrom(new StorageBusyError(1), new StorageFullError(), new StorageIoError('lost'), new Error('bug')),
  written: fc.boolean(),
})
const refusal: Fault = { error: new LedgerDamagedError(null, 'a log', 'is no log'), ofRows: true }
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: failure },
  { weight: 2, arbitrary: fc.constant(refusal) },
)
// A row is lost where two in a row fail.
const rowFault: fc.Arbitrary<Fault> = fc.oneof(fc.constant(undefined), failure)

export const randomTurn: fc.Arbitrary<RandomTurn> = fc.record({
  moves: fc.array(move, { maxLength: 12 }),
  taken: fc.nat({ max: 8 }),
  next: fc.constantFrom('read on', 'read on', 'leave', 'detach', 'stop', 'stop unread'),
  faults: fc.array(fault, { maxLength: 16 }),
  rowFaults: fc.array(rowFault, { maxLength: 12 }),
})

/** Plays the moves; at their end it ends without a terminal. */
export function scriptOf(moves: readonly Move[]): Script {
  return async function* ({ turnId, abortSignal }) {
    const say = eventsOf(turnId)
    let last = say.text('nothing yet')
    for (const move of moves) {
      switch (move.do) {
        case 'pause':
          await new Promise<void>((resolve) => setImmediate(resolve))
          break
        case 'throw':
          throw new Error('the provider is gone')
        case 'end':
          return
        case 'untilAborted':
          await aborted(abortSignal)
          break
        case 'hang':
          await new Promise(() => {})
          break
        case 'garbage':
          yield move.value
          break
        default:
          last = eventOf(move, say, last)
          yield last
      }
    }
  }
}

function eventOf(move: Saying, say: ReturnType<typeof eventsOf>, last: SessionEvent): SessionEvent {
  switch (move.do) {
    case 'delta':
    case 'thought':
    case 'text':
      return say[move.do](`${move.id} says`, move.id)
    case 'call':
    case 'result':
      return say[move.do](move.id)
    case 'question':
      return say.question(move.id, move.id)
    case 'error':
      return say.error(move.id)
    case 'complete':
      return say.complete(move.reason)
    case 'abort':
      return say.abort()
    case 'repeat':
      return last
    case 'conflict':
      return { ...say.text('something else'), id: last.id }
    case 'conflicting end':
      return { ...say.complete(), id: last.id }
  }
}
