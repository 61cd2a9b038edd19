export * from './backend/backend.ts'
export type * from './transcript/transcript-message.ts'
