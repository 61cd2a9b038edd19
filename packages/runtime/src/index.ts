export * from './session-manager.ts'
