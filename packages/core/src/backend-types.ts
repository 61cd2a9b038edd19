export * from './backend/backend.ts'
export type * from './transcript/model-message.ts'
