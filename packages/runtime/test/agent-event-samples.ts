import type { AgentEvent, AgentEventHeader, AgentEventStore, NewAgentEventRow } from '@daybook/core'

export const header = (runId: string = 'r1', more: Partial<AgentEventHeader> = {}): AgentEventHeader => ({
  runId,
  threadId: 't1',
  tenant: null,
  gates: [],
  userId: null,
  operatorId: null,
  ...more,
})

export const started: AgentEvent = { type: 'RUN_STARTED', threadId: 't1', runId: 'r1' }
export const finished: AgentEvent = { type: 'RUN_FINISHED', threadId: 't1', runId: 'r1' }
export const interrupted: AgentEvent = {
  ...finished,
  outcome: { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'approval' }] },
}
export const step = (stepName: string): AgentEvent => ({ type: 'STEP_STARTED', stepName })
export const textStart = (messageId: string = 'm'): AgentEvent => ({
  type: 'TEXT_MESSAGE_START',
  messageId,
  role: 'assistant',
})
export const textEnd = (messageId: string = 'm'): AgentEvent => ({ type: 'TEXT_MESSAGE_END', messageId })
export const text = (delta: string, messageId: string = 'm'): AgentEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
})

/** What becomes of the next appends: the store does not get it, or gets it and its reply is lost. */
export type Fault = 'fails' | 'reply lost' | undefined

/** A store whose appends fail as `fault` says, which is asked before each. */
export function faultyStore(
  store: AgentEventStore,
  fault: (row: NewAgentEventRow) => Fault,
  isUnreadable: () => boolean = () => false,
): AgentEventStore {
  return {
    ...store,
    async append(runId, row) {
      const what = fault(row)
      if (what === 'fails') throw new Error('the store failed')
      await store.append(runId, row)
      if (what === 'reply lost') throw new Error('the reply is lost')
    },
    async readState(runId) {
      if (isUnreadable()) throw new Error('the store cannot be read')
      return store.readState(runId)
    },
  }
}
