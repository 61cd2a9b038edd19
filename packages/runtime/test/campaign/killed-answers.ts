import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { modelMessagesFromEvents, type OpenedStorage } from '@daybook/core'
import { CrashHarness, providerRefusal } from '@daybook/testing'
import { startSystemTimer } from '../../src/timing/timer.ts'
import { askOrAnswer, type Doing } from '../ask-and-answer.ts'
import type { AnsweringInput } from '../answering-process.ts'
import { approve, openRequests } from '../asking-backend.ts'
import { assertWhole, factsOf } from '../ledger-facts.ts'
import { openManager } from '../open-manager.ts'
import { openFolder, temporaryFolder } from '../storages.ts'
import { witnessedTool } from '../witnessed-tool.ts'

interface Scenario {
  readonly name: string
  /** What this process does before. */
  readonly before?: readonly Doing[]
  /** What the process does that is killed. */
  readonly does: Doing
  /** The turn waits with its invocation open, in the process that asks. */
  readonly live?: boolean
  /** This process answers as soon as the other one has asked. */
  readonly isAnswered?: boolean
  /** Where it is killed. `.ci/campaigns/42-killed-answers.sh` asks for each point that the process comes to. */
  readonly points: readonly string[]
}

const scenarios: readonly Scenario[] = [
  { name: 'asks', does: 'ask', points: ['asked'] },
  { name: 'answers and goes on', before: ['ask'], does: 'approve', points: ['run the tool'] },
  { name: 'records an answer', before: ['ask'], does: 'record', points: ['statement 3'] },
  { name: 'goes on with what is answered', before: ['ask', 'record'], does: 'continue', points: ['answered'] },
  { name: 'has its answer before it waits', does: 'ask', isAnswered: true, points: ['recorded the result'] },
  { name: 'waits with its invocation open', does: 'ask', live: true, isAnswered: true, points: ['run the tool'] },
  { name: 'answers one that waits so', before: ['ask'], does: 'approve', live: true, points: ['statement 3'] },
]
const isEverywhere = process.env.DAYBOOK_KILL_EVERYWHERE === '1'

const harness = new CrashHarness()
const folder = temporaryFolder()
after(async () => {
  await harness.close()
  folder.remove()
})
const skip = process.platform !== 'linux' && 'needs /proc'

/** Does what comes before in a session of its own, starts the process that is to be killed, and kills it at the point. */
async function play(storage: OpenedStorage, root: string, scenario: Scenario, point?: string) {
  const { before = [], does, live = false, isAnswered = false } = scenario
  const witness = join(root, `witness ${Math.random()}`)
  const opened = await openManager(storage, witnessedTool(witness, { live }), { startTimer: startSystemTimer })
  const { manager, session } = opened
  const asked = () => openRequests(manager, session.id)
  let turn: Awaited<ReturnType<typeof askOrAnswer>>
  for (const each of before) {
    turn = await askOrAnswer(each, manager, session.id)
    if (!live) await turn?.finished
    else while ((await asked()).length === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const input: AnsweringInput = { root, sessionId: session.id, witness, does, live }
  const holdAt = [...(isAnswered ? ['asked'] : []), ...(point === undefined ? [] : [point])]
  const child = harness.start<string>(new URL('../answering-process.ts', import.meta.url), { input, holdAt })
  const answer = async (): Promise<void> => {
    assert.equal(await child.held(), 'asked')
    await askOrAnswer('record', manager, session.id)
    child.goOn()
  }
  if (point === undefined) {
    if (isAnswered) await answer()
    await child.finish()
  } else {
    if ((await child.held()) !== point) await answer()
    assert.equal(await child.held(), point)
    await child.kill()
  }
  const timesRun = (): number => (existsSync(witness) ? readFileSync(witness, 'utf8').length : 0)
  return { ...opened, storage, asked, live: live && before.length > 0 ? turn : undefined, timesRun, child }
}

type Played = Awaited<ReturnType<typeof play>>

/** What must become of the call in the end, as the ledger has it when nobody has recovered it. */
async function endOfCall({ storage, session, live, timesRun }: Played): Promise<readonly [string | undefined, number]> {
  const facts = await factsOf(storage, session.id)
  if (!facts.includes('function_call:c1')) return [undefined, 0]
  const isOwned = facts.at(-1) !== 'waiting' && live === undefined
  // Whether the tool was run whose owner is gone, nobody can say but the witness.
  if (isOwned && !facts.includes('function_response:ok')) return ['unknown', timesRun()]
  return ['ok', 1]
}

/** Goes on as a user would, who finds the session as the dead process left it. */
async function assertGoesOn(played: Played): Promise<void> {
  const { storage, manager, session, backend, asked, live, timesRun } = played
  const end = await endOfCall(played)
  await manager.recover()
  const open = await asked()
  if (open.length > 0) {
    const { turn } = await manager.answerRequests(session.id, { answers: open.map((one) => approve(one)) })
    await turn?.finished
  } else if (['waiting', 'failed'].includes((await factsOf(storage, session.id)).at(-1) ?? '')) {
    await (
      await manager.continueTurn(session.id)
    ).finished
  }
  await live?.finished

  const events = await storage.events.readSessionRuntimeEvents(session.id)
  const answers = events.filter(({ event }) => event.actions?.answer !== undefined)
  const requestIds = events.flatMap(({ event }) => event.actions?.request?.requestId ?? [])
  for (const requestId of requestIds) {
    const request = await manager.readRequest(session.id, requestId)
    const { digest = '', state } = request ?? {}
    assert.equal(state, answers.length === 1 ? 'approved' : 'unanswered')
    const again = manager.answerRequests(session.id, { answers: [{ requestId, digest, decision: 'approved' }] })
    await assert.rejects(again, { code: 'REQUEST_CLOSED', state, sameAnswer: state === 'approved' })
  }
  assert.ok(answers.length <= requestIds.length)

  const next = await manager.startTurn(session.id, { text: 'and now?' })
  assert.equal((await next.finished).state, 'completed')
  const [turn] = await manager.transcript(session.id)
  const calls = turn?.items.filter((item) => item.type === 'tool_call') ?? []
  assert.deepEqual([calls[0]?.outcome, timesRun(), calls.length <= 1], [...end, true])
  const stored = await storage.events.readSessionRuntimeEvents(session.id)
  for (const messages of [backend.inputs.at(-1)?.history ?? [], modelMessagesFromEvents(stored)]) {
    assert.equal(providerRefusal(messages), undefined)
  }
  await manager.close()
}

describe('a request is answered once and its tool run at most once', { concurrency: 2 }, () => {
  for (const scenario of scenarios) {
    test(`when a process is killed that ${scenario.name}`, { skip }, async (t) => {
      const root = mkdtempSync(join(folder.path, 'ledger '))
      const { storage, dispose } = openFolder(root)
      const whole = isEverywhere ? await play(storage, root, scenario) : undefined
      if (whole !== undefined) await assertGoesOn(whole)
      const points = whole?.child.acknowledgements ?? scenario.points
      for (const point of points) {
        try {
          await assertGoesOn(await play(storage, root, scenario, point))
        } catch (error) {
          throw new Error(`killed at ${point}`, { cause: error })
        }
      }
      t.diagnostic(`killed at ${points.length} points`)
      await assertWhole(storage)
      await dispose()
    })
  }
})
