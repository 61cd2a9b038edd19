/** A child of the crash harness that writes to, follows or sweeps the delivery logs of a folder; see `campaign/followers.ts`. */
import { flushCompileCache } from 'node:module'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AgentEventStore } from '@daybook/core'
import { AgentEventLog, type FollowEnd, type RecordOutcome, type SweepReport } from '@daybook/runtime/agent-event-log'
import { createSqliteAgentEventStore } from '@daybook/storage/agent-event-store'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { finished, header, started, step, text } from './agent-event-samples.ts'

export interface AgentEventProcessInput {
  readonly root: string
  readonly runId: string
  readonly role:
    /** Writes until it is killed, or so many steps; then ends the run. */
    | { readonly kind: 'write'; readonly name: string; readonly steps: number; readonly ends: boolean }
    /** So many followers, of which two in three leave again and one stays to the end. */
    | { readonly kind: 'follow'; readonly after: number; readonly followers: number }
    | { readonly kind: 'sweep'; readonly now: number }
    /** Does nothing more while deltas wait, a run is followed and sweeps are scheduled. */
    | { readonly kind: 'idle' }
}

export interface FollowReport {
  readonly seqs: readonly number[]
  readonly end: FollowEnd
  /** How many others there were, which saw the same. */
  readonly others: number
  readonly listeners: number
}

export type AgentEventReport = FollowReport | SweepReport | RecordOutcome | { readonly seq: number } | 'following'

flushCompileCache()
const { root, runId, role } = childInput() as AgentEventProcessInput
// Nothing else keeps the process alive: no timer of a log or a store does.
const alive = setInterval(() => {}, 1000)
const store = createSqliteAgentEventStore(root, { durability: 'normal' })
if (role.kind === 'write') await write(role.name, role.steps, role.ends)
else if (role.kind === 'follow') await follow(role.after, role.followers)
else if (role.kind === 'sweep') acknowledge(await new AgentEventLog(claiming(store)).sweepRuns({ now: role.now }))
else await idle()
if (role.kind !== 'idle') store.close?.()
clearInterval(alive)

async function write(name: string, steps: number, ends: boolean): Promise<void> {
  const log = new AgentEventLog(store)
  await log.open(header(runId))
  if (ends) await log.record(runId, started, Date.now())
  for (let count = 0; count < steps; count++) {
    await log.record(runId, text('word ', name), Date.now())
    const outcome = await log.record(runId, step(`${name} ${count}`), Date.now())
    if (outcome.outcome === 'stored') acknowledge({ seq: outcome.seq })
    // As fast as a model speaks, and not as fast as it can.
    await setTimeout(1)
  }
  if (ends) await log.record(runId, finished, Date.now())
  await log.close()
}

async function follow(after: number, followers: number): Promise<void> {
  const log = new AgentEventLog(store)
  const staying: Promise<Omit<FollowReport, 'others' | 'listeners'>>[] = []
  const leaving: Promise<unknown>[] = []
  for (let count = 0; count < followers; count++) {
    const leave = new AbortController()
    const subscription = log.subscribe(runId, after, leave.signal)
    if (count % 3 === 0) {
      staying.push(readAll())
    } else {
      leaving.push(subscription.next(), subscription.ended)
      void setImmediate().then(() => {
        if (count % 3 === 1) leave.abort()
        else void subscription.return()
      })
    }
    if (count % 50 === 0) await setImmediate()

    async function readAll(): Promise<Omit<FollowReport, 'others' | 'listeners'>> {
      const seqs: number[] = []
      for await (const { seq } of subscription) {
        seqs.push(seq)
        if (count === 0 && seqs.length === 1) acknowledge('following')
      }
      return { seqs, end: await subscription.ended }
    }
  }
  await Promise.all(leaving)
  const [first, ...others] = await Promise.all(staying)
  const same = others.filter((other) => JSON.stringify(other) === JSON.stringify(first))
  acknowledge({ ...first, others: same.length, listeners: log.listenerCount(runId) })
}

async function idle(): Promise<void> {
  const log = new AgentEventLog(store)
  await log.open(header(runId))
  const subscription = log.subscribe(runId, 0)
  void subscription.next()
  log.scheduleSweeps()
  acknowledge(await log.record(runId, text('waits'), Date.now()))
}

/** Reaches the point `claimed` once it has claimed a run. */
function claiming(store: AgentEventStore): AgentEventStore {
  return {
    ...store,
    async claim(...query) {
      const isClaimed = await store.claim(...query)
      if (isClaimed) reachPoint('claimed')
      return isClaimed
    },
  }
}
