/** One of many processes that use the same delivery logs at once; see `campaign/agent-events-at-once.ts`. */
import { flushCompileCache } from 'node:module'
import { DaybookError } from '@daybook/core'
import {
  type AgentEventStore,
  createFileAgentEventStore,
  createPostgresAgentEventStore,
  createSqliteAgentEventStore,
} from '../src/agent-event-store.ts'
import { connectPostgresUrl } from './postgres-schema.ts'

type Kind = 'file' | 'sqlite' | 'postgres'
export type Order = 'open' | 'append some' | 'append for ever' | 'claim' | 'remove' | 'end'

const [kind, place, someRows] = process.argv.slice(2) as [Kind, string, string]
let store: AgentEventStore

const stores: Readonly<Record<Kind, () => AgentEventStore | Promise<AgentEventStore>>> = {
  file: () => createFileAgentEventStore(place, { durability: 'normal' }),
  sqlite: () => createSqliteAgentEventStore(place, { durability: 'normal' }),
  postgres: () => createPostgresAgentEventStore(connectPostgresUrl(place)),
}

/** Gives the seqs that this process won. */
async function append(rows: number): Promise<number[]> {
  const won: number[] = []
  while (won.length < rows) {
    const seq = (await store.maxSeq('r')) + 1
    const event = { type: 'STEP_STARTED', stepName: `${process.pid} `.repeat(50) }
    try {
      await store.append('r', { seq, event, writeId: String(process.pid) })
      won.push(seq)
    } catch (error) {
      if (!DaybookError.is(error) || error.code !== 'AGENT_EVENT_DUPLICATE_SEQ') throw error
    }
  }
  return won
}

const orders: Readonly<Record<Order, () => unknown>> = {
  open: async () => {
    store = await stores[kind]()
    return store.maxSeq('r')
  },
  'append some': () => append(Number(someRows)),
  'append for ever': () => append(Infinity),
  claim: () => store.claim('r', 1_000),
  remove: () => store.remove('r'),
  end: () => process.exit(),
}

process.on('message', (order: Order) => {
  void Promise.resolve(orders[order]()).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: `${error.name}: ${error.message}` }),
  )
})
flushCompileCache()
process.send!('ready')
