export { storageConformance } from './conformance/storage-conformance.ts'
export type {
  Capability,
  ConformanceOptions,
  StorageUnderTest,
  TestFunction,
} from './conformance/storage-under-test.ts'
export type { ForeignRow } from './foreign-row.ts'
