export * from './errors/index.ts'
export * from './invocation/state-table.ts'
export type * from './json/json-value.ts'
export * from './ports/index.ts'
