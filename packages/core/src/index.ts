export * from './errors/index.ts'
export type * from './json/json-value.ts'
export * from './ports/index.ts'
