export { storageConformance } from './conformance/storage-conformance.ts'
export type {
  Capability,
  ConformanceOptions,
  ForeignRow,
  StorageUnderTest,
  TestFunction,
} from './conformance/storage-under-test.ts'
