import { firstSchema } from './1-first-schema.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [firstSchema]
