import type { InvocationCursor, RunRecord, VerifyReport } from '@daybook/core'
import type { RuntimeEvent, StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'
import {
  anOwner,
  foreignRow,
  idsOf,
  openedEvent,
  openRequest,
  type RunIds,
  sessionRecord,
  textEvent,
} from '../src/conformance/samples.ts'
import type { Fact, Step } from './history.ts'
import { HistoryModel, type ModelRun, type Outcome } from './history-model.ts'
import type { World } from './worlds.ts'

/** What a storage showed of a history, beside what it promises. */
export interface Observation {
  readonly model: HistoryModel
  readonly outcomes: readonly { readonly expected: Outcome; readonly actual: Outcome }[]
  /** Events that were acknowledged, and those that another process found, each time that all calls had been answered. */
  readonly commits: readonly { readonly acknowledged: number; readonly found: number }[]
  readonly sessions: readonly ObservedSession[]
}

export interface ObservedSession {
  readonly sessionId: string
  readonly events: readonly StoredRuntimeEvent[]
  readonly payloads: readonly string[]
  readonly listed: readonly InvocationRecord[]
  /** All pages of the index, put together oldest first. */
  readonly paged: readonly InvocationRecord[]
  readonly runs: readonly (RunRecord | undefined)[]
  readonly active: RunRecord | undefined
  readonly report: VerifyReport
}

/** Differ by case, by normal form, in the order of languages, and in that of UTF-16. */
const names = ['Id', 'id', 'B', '_', '\uFFFD', '\u{10000}', 'a\u0301', 'á']

/** Event and turn ids are the same in all sessions and histories; `number` tells the other ids of histories apart. */
export async function runHistory(world: World, number: number, steps: readonly Step[]): Promise<Observation> {
  const { storage } = world
  const model = new HistoryModel()
  const sessionIds = [`${number} S`, `${number} s`]
  for (const id of sessionIds) await storage.sessions.create(sessionRecord(id))
  const calls: { readonly expected: Outcome; readonly actual: Promise<Outcome> }[] = []
  const commits: { acknowledged: number; found: number }[] = []

  async function settle(): Promise<void> {
    await Promise.all(calls.map(({ actual }) => actual))
    const sum = (of: (sessionId: string) => number) => sessionIds.reduce((total, id) => total + of(id), 0)
    commits.push({
      acknowledged: sum((id) => model.rows(id).length),
      found: sum((id) => world.count(id)),
    })
  }

  function call(expected: Outcome, actual: Promise<Outcome>): void {
    calls.push({
      expected,
      actual: actual.catch((error: Error & { code?: string }) => ({ refused: error.code ?? error.message })),
    })
  }

  for (const [at, step] of steps.entries()) {
    if (step.wait || step.kind === 'foreign') await settle()
    world.setNow(step.now)
    if (step.kind === 'open') {
      const ids = idsOf(sessionIds[step.session]!, `${number} ${names[step.invocation]}`, `turn ${step.turn}`)
      const source = step.retry ? ({ kind: 'retry', supersedes: 'another' } as const) : ({ kind: 'fresh' } as const)
      const request = openRequest(ids, { exclusive: step.exclusive, events: [openedEvent(ids, step.ts, source)] })
      call(
        model.open(request, !step.retry),
        storage.runs.openRun(request).then(({ epoch }) => ({ epoch })),
      )
      continue
    }
    const run = model.runs[step.run % model.runs.length]
    if (run === undefined) continue
    const { runId, invocationId } = run.ids
    if (step.kind === 'append') {
      const epoch = step.stale ? run.epoch - 1 : run.epoch
      const events = step.events.map((fact) => eventOf(run.ids, names[fact.id]!, fact))
      const appending = storage.events.append({ invocationId, epoch, events })
      call(
        model.append(run, events, epoch),
        appending.then((appended) => ({
          appended: appended.map(({ eventSeq, sessionSeq, duplicate }) => [eventSeq, sessionSeq, duplicate] as const),
        })),
      )
    } else if (step.kind === 'claim') {
      const expectedEpoch = step.stale ? run.epoch - 1 : run.epoch
      const claiming = storage.runs.claimRun({ runId, expectedEpoch, owner: anOwner, ownerIsGone: true })
      call(
        model.claim(run, expectedEpoch),
        claiming.then(({ epoch }) => ({ epoch })),
      )
    } else {
      const event = eventOf(run.ids, `foreign ${at}`, step.fact)
      world.insertForeignRow(foreignRow(event, model.insert(run, event), { committed_at: step.now }))
    }
  }
  await settle()
  const outcomes = await Promise.all(calls.map(async ({ expected, actual }) => ({ expected, actual: await actual })))
  const sessions = await Promise.all(sessionIds.map((sessionId) => observe(world, sessionId, model.runs)))
  return { model, outcomes, commits, sessions }
}

function eventOf(ids: RunIds, id: string, { text, ts, status }: Fact): RuntimeEvent {
  const event = textEvent(ids, id, text, ts)
  if (status === undefined) return event
  const actions = { endInvocation: true }
  if (status === 'none') return { ...event, actions }
  return text === 'x' ? { ...event, status } : { ...event, status, actions }
}

async function observe(world: World, sessionId: string, runs: readonly ModelRun[]): Promise<ObservedSession> {
  const { storage } = world
  const ofSession = runs.filter(({ ids }) => ids.sessionId === sessionId)
  const paged: InvocationRecord[] = []
  let before: InvocationCursor | null | undefined
  while (before !== null) {
    const page = await storage.events.listSessionInvocationsPage(sessionId, { limit: 3, ...(before && { before }) })
    paged.unshift(...page.items.toReversed())
    before = page.next
  }
  return {
    sessionId,
    events: await storage.events.readSessionRuntimeEvents(sessionId),
    payloads: world.payloads(sessionId),
    listed: await storage.events.listSessionInvocations(sessionId),
    paged,
    runs: await Promise.all(ofSession.map(({ ids }) => storage.runs.readRun(ids.runId))),
    active: await storage.runs.readActiveRun(sessionId),
    report: await storage.events.verifySession(sessionId),
  }
}
