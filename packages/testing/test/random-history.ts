import type { FinalRow, HistoryEntry, Interval } from '@daybook/testing'
import fc from 'fast-check'

export interface RandomHistory {
  readonly history: readonly HistoryEntry[]
  readonly rows: readonly FinalRow[]
}

type WithoutInterval<Entry> = Entry extends HistoryEntry ? Omit<Entry, keyof Interval> : never
/** Undefined where the ledger refuses. */
type Answer = WithoutInterval<HistoryEntry> | undefined

const anyWorker = fc.constantFrom('x', 'y', 'z')
const anyInvocation = fc.constantFrom('a', 'b', 'c')
const anyAction = fc.constantFrom(
  'append',
  'append',
  'append',
  'append',
  'append',
  'retry',
  'claim',
  'read',
  'end',
  'die',
)
const anyCount = fc.integer({ min: 1, max: 3 })

/**
 * What three workers are told that use one ledger at the same time, which keeps its promises. With each step one of them
 * begins a request, has it done, or gets its answer, unless it dies before; then another worker of its name begins.
 */
export const anyHistory: fc.Arbitrary<RandomHistory> = fc
  .array(fc.tuple(anyWorker, anyAction, anyInvocation, anyCount), { maxLength: 200, size: 'max' })
  .map((steps) => {
    const ledger = modelLedger()
    const history: HistoryEntry[] = []
    const requests = new Map<string, { startedAt: number; run: () => Answer; answered?: { answer: Answer } }>()
    for (const [time, [worker, action, invocationId, count]] of steps.entries()) {
      const request = requests.get(worker)
      if (request === undefined) {
        requests.set(worker, { startedAt: time, run: ledger.request(worker, action, invocationId, count) })
      } else if (action !== 'die' && request.answered === undefined) {
        request.answered = { answer: request.run() }
      } else {
        requests.delete(worker)
        const answer = action === 'die' ? undefined : request.answered?.answer
        if (answer !== undefined) history.push({ ...answer, startedAt: request.startedAt, endedAt: time })
      }
    }
    return { history, rows: ledger.rows }
  })

function modelLedger() {
  const rows: FinalRow[] = []
  const epochs = new Map<string, number>()
  const lastSent = new Map<string, readonly string[]>()
  const ownEpochs = new Map<string, number>()
  let ids = 0

  const read = (sessionId: string): Answer => {
    const events = rows.filter((row) => row.sessionId === sessionId)
    return { kind: 'read', sessionId, events }
  }
  const claim = (invocationId: string, owner: string): Answer => {
    const epoch = (epochs.get(invocationId) ?? 1) + 1
    epochs.set(invocationId, epoch)
    ownEpochs.set(owner, epoch)
    return { kind: 'claim', invocationId, epoch }
  }
  const append = (invocationId: string, epoch: number, eventIds: readonly string[]): Answer => {
    const sessionId = invocationId === 'a' ? 'first' : 'second'
    const own = rows.filter((row) => row.invocationId === invocationId)
    const stored = own.filter((row) => eventIds.includes(row.eventId))
    const entry = { kind: 'append', sessionId, invocationId, epoch } as const
    if (stored.length > 0) return { ...entry, events: stored.map((row) => ({ ...row, duplicate: true })) }
    if (epoch !== (epochs.get(invocationId) ?? 1) || own.some((row) => row.terminal)) return undefined
    const inSession = rows.filter((row) => row.sessionId === sessionId).length
    const fresh = eventIds.map((eventId, index) => ({
      sessionId,
      invocationId,
      eventId,
      eventSeq: own.length + index + 1,
      sessionSeq: inSession + index + 1,
      terminal: eventId.startsWith('end'),
    }))
    rows.push(...fresh)
    return { ...entry, events: fresh.map((row) => ({ ...row, duplicate: false })) }
  }

  return {
    rows,
    /** A request that is decided now and done when the returned function is called. */
    request(worker: string, action: string, invocationId: string, count: number): () => Answer {
      const owner = `${worker} of ${invocationId}`
      if (action === 'read') return () => read(invocationId === 'a' ? 'first' : 'second')
      if (action === 'claim') return () => claim(invocationId, owner)
      const fresh = Array.from({ length: count }, () => `event ${++ids}`)
      if (action === 'end') fresh.push(`end ${++ids}`)
      const eventIds = action === 'retry' ? (lastSent.get(owner) ?? fresh) : fresh
      lastSent.set(owner, eventIds)
      const epoch = ownEpochs.get(owner) ?? 1
      return () => append(invocationId, epoch, eventIds)
    },
  }
}
