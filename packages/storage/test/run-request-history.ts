import assert from 'node:assert/strict'
import {
  compareCodePoints,
  DaybookError,
  isAnswerable,
  type RequestRecord,
  requestsFromSessionEvents,
} from '@daybook/core'
import type { AnswerOutcome, InvocationSource, RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import {
  answerEvent,
  append,
  askEvent,
  factEvent,
  foreignRow,
  idsOf,
  openedEvent,
  openRequest,
  type RunIds,
  sessionRecord,
  terminalEvent,
} from '../src/conformance/samples.ts'
import { sha256 } from '../src/sha256.ts'
import type { Answer, RequestStep } from './request-history.ts'
import type { World } from './worlds.ts'

const scope = { tenant: null }

/** A run, or request, that is named so may be closed; else it is one that is not, where there is one. */
const closedToo = 5

/** Runs the steps in a session of their own and asserts after each that the index of requests is the rebuild. */
export async function runRequestHistory(world: World, number: number, steps: readonly RequestStep[]): Promise<void> {
  const { storage } = world
  const sessionId = `${number}`
  let runs: RunIds[] = []
  const sealed = new Set<string>()
  let rebuilt: readonly RequestRecord[] = []
  await storage.sessions.create(sessionRecord(sessionId))

  async function rebuild(): Promise<readonly RequestRecord[]> {
    const events = await storage.events.readSessionRuntimeEvents(sessionId)
    return requestsFromSessionEvents(sessionId, events, sha256)
  }

  function requestAt(index: number): RequestRecord | undefined {
    const open = rebuilt.filter(({ state }) => state === 'open')
    return fromTheEnd(index === closedToo || open.length === 0 ? rebuilt : open, index)
  }

  function answersOf(ids: RunIds, answers: readonly Answer[], step: RequestStep, at: number): RuntimeEvent[] {
    return answers.map(({ request, outcome, changed }, index) => {
      const asked = requestAt(request)
      const requestDigest = asked === undefined || changed ? '0'.repeat(64) : asked.digest
      const said = outcome === 'fitting' ? fittingOutcome(asked, step.now) : outcome
      return answerEvent(ids, asked?.requestId ?? 'none', { outcome: said, requestDigest }, `answer ${at} ${index}`)
    })
  }

  function openingOf(how: string, ids: RunIds): RuntimeEvent {
    const last = runs.at(-1)?.invocationId ?? 'none'
    const source: InvocationSource =
      how === 'retry'
        ? { kind: 'retry', supersedes: last }
        : how === 'continuation'
          ? { kind: 'continuation', of: last }
          : { kind: 'fresh' }
    const opening = openedEvent(ids, 1, source)
    if (how !== 'sub-agent') return opening
    return { ...opening, content: { ...opening.content!, lineage: { parentInvocationId: last } } }
  }

  async function seqAfter({ runId }: RunIds): Promise<number> {
    return (await storage.events.readRunRuntimeEvents(runId)).items.length + 1
  }

  /** False where there is nothing that the step could happen to. */
  async function take(step: RequestStep, at: number): Promise<boolean> {
    if (step.kind === 'remove') {
      await storage.sessions.remove(sessionId, scope)
      await storage.sessions.create(sessionRecord(sessionId))
      runs = []
      return true
    }
    if (step.kind === 'open') {
      const newest = runs.at(-1)
      const goesOn = step.how === 'retry' || step.how === 'continuation'
      const turnId = goesOn && newest !== undefined ? newest.turnId : `turn ${at}`
      const ids = idsOf(sessionId, `${number} ${at}`, turnId)
      const opening = openingOf(step.how, ids)
      if (step.how === 'foreign') world.insertForeignRow(foreignRow(opening, 1))
      else {
        const events = [opening, ...answersOf(ids, step.answers, step, at)] as const
        const end = step.end === undefined ? [] : [terminalEvent(ids, step.end)]
        const exclusive = step.how !== 'sub-agent'
        await storage.runs.openRun(openRequest(ids, { exclusive, events: [...events, ...end] }))
      }
      if (step.how !== 'foreign' && step.end !== undefined) sealed.add(ids.invocationId)
      if (step.how !== 'sub-agent' && step.how !== 'foreign') runs.push(ids)
      else runs.unshift(ids)
      return true
    }
    const unsealed = runs.filter(({ invocationId }) => !sealed.has(invocationId))
    const ids = fromTheEnd(step.run === closedToo || unsealed.length === 0 ? runs : unsealed, step.run)
    if (ids === undefined) return false
    if (step.kind === 'ask') {
      const { question, wait, again, expiresInMs } = step
      const requestId = again ? (rebuilt.at(-1)?.requestId ?? 'none') : `${at}`
      const kind = question ? 'user_question' : 'sandbox_boundary'
      const asking = askEvent(ids, requestId, { kind, wait, ...(expiresInMs !== undefined && { expiresInMs }) })
      await append(storage, ids, [{ ...asking, id: `ask ${at}` }])
    } else if (step.kind === 'answer') {
      const events = answersOf(ids, step.answers, step, at)
      if (step.byOwner) await append(storage, ids, events)
      else await storage.events.appendAnswers({ invocationId: ids.invocationId, events })
    } else if (step.kind === 'ack') {
      const answerAck = { requestId: requestAt(step.request)?.requestId ?? 'none' }
      await append(storage, ids, [factEvent(ids, `ack ${at}`, { answerAck })])
    } else {
      const end = terminalEvent(ids, step.status, `end ${at}`)
      if (step.foreign) world.insertForeignRow(foreignRow(end, await seqAfter(ids)))
      else await append(storage, ids, [end])
      sealed.add(ids.invocationId)
    }
    return true
  }

  for (const [at, step] of steps.entries()) {
    world.setNow(step.now)
    const before = rebuilt
    const happened = await take(step, at).catch((error: unknown) => {
      if (!DaybookError.is(error)) throw error
      return false
    })
    rebuilt = await rebuild()
    if (!happened) assert.deepEqual(rebuilt, before)
    for (const request of rebuilt) {
      const asked = before.find(({ requestId }) => requestId === request.requestId)
      if (request.answer !== null && asked?.answer === null) assertAnswered(asked, request, step.now)
    }
    await assertIndex(world, sessionId, rebuilt, runs, step.now)
  }
  assert.deepEqual((await storage.events.verifySession(sessionId)).problems, [])
  for (const { invocationId, runId } of runs) {
    const run = await storage.runs.readRun(runId)
    if (run?.finishedAt === null) {
      const events = [terminalEvent({ sessionId, invocationId, runId, turnId: run.turnId }, 'aborted', 'last')]
      await storage.events.append({ invocationId, epoch: 1, events })
    }
  }
}

/** An answer is taken only of what is open and has time, unless it says that the time is over. */
function assertAnswered(asked: RequestRecord, { state, answer }: RequestRecord, now: number): void {
  assert.equal(asked.state, 'open')
  assert.equal(isAnswerable(asked, now), state !== 'expired')
  assert.deepEqual([answer?.outcome, answer?.requestDigest], [state, asked.digest])
}

function fromTheEnd<Item>(items: readonly Item[], index: number): Item | undefined {
  return items.at(-1 - (index % (items.length || 1)))
}

function fittingOutcome(asked: RequestRecord | undefined, now: number): AnswerOutcome {
  if (asked !== undefined && asked.state === 'open' && !isAnswerable(asked, now)) return 'expired'
  return asked?.kind === 'user_question' ? 'answered' : 'approved'
}

async function assertIndex(
  { storage }: World,
  sessionId: string,
  rebuilt: readonly RequestRecord[],
  runs: readonly RunIds[],
  now: number,
): Promise<void> {
  for (const turnId of new Set(runs.map((ids) => ids.turnId))) {
    assert.deepEqual(
      await storage.events.listTurnRequests(sessionId, turnId),
      rebuilt.filter((request) => request.turnId === turnId),
    )
  }
  const { items } = await storage.events.listOpenRequests({ scope, sessionId })
  const open = rebuilt.filter((request) => isAnswerable(request, now))
  const byId = (a: RequestRecord, b: RequestRecord) => compareCodePoints(a.requestId, b.requestId)
  assert.deepEqual(items.toSorted(byId), open.toSorted(byId))
}
