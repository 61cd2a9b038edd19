export { compareInvocations } from './invocation/invocation-order.ts'
export type * from './invocation/invocation-record.ts'
export { type InvocationState, invocationState } from './invocation/invocation-state.ts'
export { runtimeInvocationsFromSessionEvents } from './invocation/rebuild.ts'
