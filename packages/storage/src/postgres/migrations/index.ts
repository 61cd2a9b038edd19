import { agentEvents } from './1-agent-events.ts'
import type { SqlMigration } from './migrate.ts'

export const migrations: readonly SqlMigration[] = [agentEvents]
