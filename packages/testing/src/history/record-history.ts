import type { AgentRunStore, OpenedStorage, RuntimeEventStore } from '@daybook/core'
import { type HistoryEntry, type Interval, monotonicTime } from './history-entry.ts'

/**
 * The same storage, which tells each request that succeeded: openings, claims, appends and reads of whole sessions. The
 * caller of a request goes on after it was told, so what it does with the answer is never ahead of the history.
 */
export function recordHistory(storage: OpenedStorage, tell: (entry: HistoryEntry) => void): OpenedStorage {
  const { runs, events } = storage
  const recordedRuns = overriding<AgentRunStore>(runs, {
    async openRun(request) {
      const [run, interval] = await timed(() => runs.openRun(request))
      const { sessionId, invocationId, epoch } = run
      const stored = request.events.map(({ id }, index) => ({ eventId: id, eventSeq: index + 1, duplicate: false }))
      tell({ kind: 'append', sessionId, invocationId, epoch, ...interval, events: stored })
      return run
    },
    async claimRun(request) {
      const [run, interval] = await timed(() => runs.claimRun(request))
      tell({ kind: 'claim', invocationId: run.invocationId, epoch: run.epoch, ...interval })
      return run
    },
  })
  const recordedEvents = overriding<RuntimeEventStore>(events, {
    async append(request) {
      const [appended, interval] = await timed(() => events.append(request))
      const { invocationId, epoch } = request
      const { sessionId } = request.events[0]!
      tell({ kind: 'append', sessionId, invocationId, epoch, ...interval, events: appended })
      return appended
    },
    async readSessionRuntimeEvents(sessionId) {
      const [read, interval] = await timed(() => events.readSessionRuntimeEvents(sessionId))
      const keys = read.map(({ event: { invocationId, id } }) => ({ invocationId, eventId: id }))
      tell({ kind: 'read', sessionId, ...interval, events: keys })
      return read
    },
  })
  return overriding(storage, { runs: recordedRuns, events: recordedEvents })
}

async function timed<Answer>(request: () => Promise<Answer>): Promise<[Answer, Interval]> {
  const startedAt = monotonicTime()
  const answer = await request()
  return [answer, { startedAt, endedAt: monotonicTime() }]
}

/** The object with some members replaced; the others are called on the object itself. */
function overriding<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      if (name in members) return members[name as keyof Target]
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
