/** A child of the crash harness that writes to, follows or sweeps the delivery logs of a folder; see `campaign/followers.ts`. */
import { watch } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AgentEventStore } from '@daybook/core'
import { AgentEventLog, type FollowEnd, type RecordOutcome, type SweepReport } from '@daybook/runtime/agent-event-log'
import { createSqliteAgentEventStore } from '@daybook/storage/agent-event-store'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { type Fault, faultyStore, finished, header, started, step, text } from './agent-event-samples.ts'
import { type Held, whatIsHeld } from './what-is-held.ts'

export interface AgentEventProcessInput {
  readonly root: string
  readonly runId: string
  readonly role:
    /** Writes until it is killed, or so many steps; then ends the run. `everyThird` is what becomes of every third write. */
    | {
        readonly kind: 'write'
        readonly name: string
        readonly steps: number
        readonly ends: boolean
        readonly everyThird?: Fault
      }
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

/** What a process still holds, of what it did not hold before it had a store, once it has closed all. */
export interface Left {
  readonly left: Pick<Held, 'timers' | 'descriptors' | 'resources'>
}

export type AgentEventReport =
  | FollowReport
  | SweepReport
  | RecordOutcome
  | { readonly seq: number }
  | 'following'
  | Left

flushCompileCache()
const { root, runId, role } = childInput() as AgentEventProcessInput
// Nothing else keeps the process alive: no timer of a log or a store does.
const alive = setInterval(() => {}, 1000)
// For the first file that is watched, the system is asked for a descriptor, which a process keeps.
watch(root, { persistent: false }).close()
const before = whatIsHeld()
const store = createSqliteAgentEventStore(root, { durability: 'normal' })
if (role.kind === 'write') await write(role.name, role.steps, role.ends, role.everyThird)
else if (role.kind === 'follow') await follow(role.after, role.followers)
else if (role.kind === 'sweep') acknowledge(await new AgentEventLog(claiming(store)).sweepRuns({ now: role.now }))
else await idle()
if (role.kind !== 'idle') store.close?.()
clearInterval(alive)
if (role.kind !== 'idle') acknowledge({ left: whatIsLeft() })

async function write(name: string, steps: number, ends: boolean, everyThird?: Fault): Promise<void> {
  let writes = 0
  const log = new AgentEventLog(faultyStore(store, () => (++writes % 3 === 0 ? everyThird : undefined)))
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

function whatIsLeft(): Left['left'] {
  const { timers, descriptors, resources } = whatIsHeld()
  return {
    timers: timers - before.timers,
    descriptors: descriptors - before.descriptors,
    resources: resources.filter((resource) => !before.resources.includes(resource)),
  }
}
