import type { SqlMigration } from './migrate.ts'

export const agentEvents: SqlMigration = {
  version: 1,
  minCodeVersion: 1,
  statements: [
    // Room on each page, so that an append need not write the indexes anew.
    `CREATE TABLE daybook_agent_event_logs (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      run_id text COLLATE "C" NOT NULL UNIQUE,
      thread_id text COLLATE "C" NOT NULL,
      opened_at bigint NOT NULL,
      finished_at bigint,
      claimed_at bigint,
      last_seq bigint NOT NULL DEFAULT 0,
      floor bigint NOT NULL DEFAULT 1,
      bytes bigint NOT NULL DEFAULT 0,
      truncated boolean NOT NULL DEFAULT false,
      details text NOT NULL
    ) WITH (fillfactor = 50)`,
    'CREATE INDEX daybook_agent_event_logs_thread ON daybook_agent_event_logs (thread_id)',
    `CREATE INDEX daybook_agent_event_logs_finished ON daybook_agent_event_logs (finished_at, run_id)
      WHERE finished_at IS NOT NULL`,
    'CREATE INDEX daybook_agent_event_logs_open ON daybook_agent_event_logs (opened_at, run_id) WHERE finished_at IS NULL',
    `CREATE TABLE daybook_agent_events (
      log bigint NOT NULL REFERENCES daybook_agent_event_logs ON DELETE CASCADE,
      seq bigint NOT NULL,
      write_id text,
      event_json text NOT NULL,
      PRIMARY KEY (log, seq)
    )`,
  ],
}
