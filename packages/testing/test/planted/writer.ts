/** A process that writes to a `SmallLedger` as its role says, and acknowledges what it was answered. */
import { setImmediate } from 'node:timers/promises'
import { acknowledge, childInput, type HistoryEntry, type Interval, monotonicTime, reachPoint } from '@daybook/testing'
import { type PlantedFault, SmallLedger } from './small-ledger.ts'

export interface WriterInput {
  readonly file: string
  readonly fault: PlantedFault | null
  readonly role: keyof typeof roles
  /** Of the writer's own invocation. */
  readonly invocationId: string
  /** Where its clock starts. */
  readonly time: number
}

const input = childInput() as WriterInput
let { time } = input
const ledger = new SmallLedger(input.file, input.fault, () => time++)
const sessionId = 'session'

const roles = {
  async owner() {
    for (let event = 1; event <= 20; event++) await appendOwn(event)
    await append('shared', 'first')
    reachPoint('first half done')
    await append('shared', 'late')
    for (let event = 1; await append('ending', `${event}`); event++) reachPoint('appended')
    await append(input.invocationId, 'last')
    reachPoint('done')
  },
  async successor() {
    for (let event = 1; event <= 20; event++) await appendOwn(event)
    reachPoint('first half done')
    await append('shared', 'next', { epoch: await claim('shared') })
    reachPoint('claimed')
    await append('ending', 'end', { terminal: true })
    await read()
    await append(input.invocationId, 'last')
    reachPoint('done')
  },
  async forEver() {
    for (let event = 1; ; event++) {
      await appendOwn(event)
      if (event % 5 === 0) await read()
      if (event % 7 === 0) await append('shared', `${input.invocationId} ${event}`, { epoch: await claim('shared') })
    }
  },
}
await roles[input.role]()

/** Every third event is sent again, as after an answer that was lost. */
async function appendOwn(event: number): Promise<void> {
  await append(input.invocationId, `${event}`)
  if (event % 3 === 0) await append(input.invocationId, `${event}`)
}

/** False when it was refused. */
async function append(
  invocationId: string,
  eventId: string,
  { epoch = 1, terminal = false }: { epoch?: number; terminal?: boolean } = {},
): Promise<boolean> {
  const [event, interval] = await timed(() => ledger.append({ invocationId, eventId, epoch, terminal }))
  if (event === undefined) return false
  const entry = { kind: 'append', sessionId, invocationId, epoch, ...interval, events: [event] } as const
  acknowledge(entry satisfies HistoryEntry)
  return true
}

async function claim(invocationId: string): Promise<number> {
  const [epoch, interval] = await timed(() => ledger.claim(invocationId))
  acknowledge({ kind: 'claim', invocationId, epoch, ...interval } satisfies HistoryEntry)
  return epoch
}

async function read(): Promise<void> {
  const [events, interval] = await timed(() => ledger.rows())
  acknowledge({ kind: 'read', sessionId, ...interval, events } satisfies HistoryEntry)
}

async function timed<Answer>(request: () => Answer): Promise<[Answer, Interval]> {
  await setImmediate()
  const startedAt = monotonicTime()
  return [request(), { startedAt, endedAt: monotonicTime() }]
}
