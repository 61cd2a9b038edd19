export { aiSdkBackend } from './backend.ts'
export type { AiSdkBackendOptions, AiSdkSettings, OfSession, StreamText } from './options.ts'
