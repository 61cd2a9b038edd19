export * from './session-event/session-event.ts'
export type { StopReason, TokenUsage } from './runtime-event/actions.ts'
