/** Where an invocation stands, as the ledger tells it: `running` until its first terminal event. */
export type InvocationState = 'running' | 'completed' | 'failed' | 'aborted' | 'cancelled' | 'waiting'
