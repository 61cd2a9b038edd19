import type { OpenRunRequest } from '@daybook/core'
import { isTerminalEvent, type RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { RunIds } from '../src/conformance/samples.ts'

/** What a call comes to: what the storage answers, or the code of its refusal. */
export type Outcome =
  | { readonly refused: string }
  | { readonly epoch: number }
  | { readonly appended: readonly (readonly [eventSeq: number, sessionSeq: number, duplicate: boolean])[] }

export interface ModelRow {
  readonly event: RuntimeEvent
  readonly eventSeq: number
  readonly sessionSeq: number
}

export interface ModelRun {
  readonly ids: RunIds
  readonly fresh: boolean
  readonly exclusive: boolean
  epoch: number
  readonly rows: ModelRow[]
}

/** What a storage promises, in the plainest form. Events are the same when they have the same members in the same order. */
export class HistoryModel {
  readonly runs: ModelRun[] = []
  readonly #sessions = new Map<string, ModelRow[]>()

  open({ events, exclusive, sessionId, invocationId, runId, turnId }: OpenRunRequest, fresh: boolean): Outcome {
    const ofSession = this.runs.filter(({ ids }) => ids.sessionId === sessionId)
    if (fresh && ofSession.some((run) => run.fresh && run.ids.turnId === turnId)) return { refused: 'TURN_EXISTS' }
    if (this.runs.some(({ ids }) => ids.invocationId === invocationId)) return { refused: 'RUN_EXISTS' }
    if (exclusive && activeRun(ofSession) !== undefined) return { refused: 'SESSION_BUSY' }
    const newest = ofSession.findLast((run) => run.exclusive)
    if (exclusive && !fresh && newest?.ids.turnId !== turnId) return { refused: 'TURN_NOT_NEWEST' }
    const run: ModelRun = { ids: { sessionId, invocationId, runId, turnId }, fresh, exclusive, epoch: 1, rows: [] }
    this.runs.push(run)
    for (const event of events) this.#push(run, event)
    return { epoch: 1 }
  }

  append(run: ModelRun, events: readonly RuntimeEvent[], epoch: number): Outcome {
    const added: RuntimeEvent[] = []
    const sealed = () => endOf(run) !== undefined || added.some(isTerminalEvent)
    for (const event of events) {
      const same = [...run.rows.map((row) => row.event), ...added].find(({ id }) => id === event.id)
      if (same !== undefined) {
        if (JSON.stringify(same) !== JSON.stringify(event)) return { refused: 'EVENT_ID_CONFLICT' }
      } else if (epoch !== run.epoch) return { refused: 'STALE_OWNER' }
      else if (sealed()) return { refused: 'RUN_SEALED' }
      else added.push(event)
    }
    for (const event of added) this.#push(run, event)
    const appended = events.map(({ id }, index) => {
      const { eventSeq, sessionSeq } = run.rows.find(({ event }) => event.id === id)!
      const isNew = added.some((event) => event.id === id) && events.findIndex((event) => event.id === id) === index
      return [eventSeq, sessionSeq, !isNew] as const
    })
    return { appended }
  }

  claim(run: ModelRun, expectedEpoch: number): Outcome {
    if (endOf(run) !== undefined) return { refused: 'RUN_SEALED' }
    if (run.epoch !== expectedEpoch) return { refused: 'STALE_OWNER' }
    run.epoch += 1
    return { epoch: run.epoch }
  }

  /** A foreign writer is asked nothing. */
  insert(run: ModelRun, event: RuntimeEvent): number {
    return this.#push(run, event).eventSeq
  }

  rows(sessionId: string): readonly ModelRow[] {
    return this.#sessions.get(sessionId) ?? []
  }

  /** Oldest first, equal times by the bytes of the id. */
  invocations(sessionId: string): readonly ModelRun[] {
    return this.runs
      .filter(({ ids }) => ids.sessionId === sessionId)
      .sort((a, b) => openedAt(a) - openedAt(b) || Buffer.compare(bytes(a), bytes(b)))
  }

  #push(run: ModelRun, event: RuntimeEvent): ModelRow {
    const session = [...this.rows(run.ids.sessionId)]
    const row = { event, eventSeq: run.rows.length + 1, sessionSeq: session.length + 1 }
    run.rows.push(row)
    this.#sessions.set(run.ids.sessionId, [...session, row])
    return row
  }
}

export function endOf(run: ModelRun): RuntimeEvent | undefined {
  return run.rows.find(({ event }) => isTerminalEvent(event))?.event
}

export function activeRun(runs: readonly ModelRun[]): ModelRun | undefined {
  return runs.find((run) => run.exclusive && endOf(run) === undefined)
}

export function openedAt(run: ModelRun): number {
  return run.rows[0]!.event.ts
}

function bytes(run: ModelRun): Buffer {
  return Buffer.from(run.ids.invocationId)
}
