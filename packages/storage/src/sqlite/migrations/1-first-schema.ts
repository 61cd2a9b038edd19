import { foreignRowTrigger } from './1-foreign-row-trigger.ts'
import type { Migration } from './migration.ts'

export const firstSchema: Migration = {
  version: 1,
  minCodeVersion: 1,
  sql: `
    CREATE TABLE meta (schema_version INTEGER NOT NULL, min_code_version INTEGER NOT NULL);

    CREATE TABLE sessions (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      tenant TEXT CHECK (tenant <> ''),
      subject TEXT,
      external_id TEXT,
      title TEXT,
      cwd TEXT,
      backend_kind TEXT NOT NULL,
      llm_connection_slug TEXT,
      model TEXT,
      permission_mode TEXT NOT NULL,
      permission_rules TEXT NOT NULL,
      settings TEXT NOT NULL,
      revision INTEGER NOT NULL,
      labels TEXT NOT NULL,
      parent_session_id TEXT,
      parent_session_seq INTEGER,
      created_at INTEGER NOT NULL,
      archived_at INTEGER
    );
    CREATE UNIQUE INDEX sessions_external_id ON sessions (coalesce(tenant, ''), external_id)
      WHERE external_id IS NOT NULL;

    -- A session stands in every listing that a filter can ask for; see listingsOf. Tenant '' is none.
    CREATE TABLE session_listings (
      tenant TEXT NOT NULL,
      archived TEXT NOT NULL,
      label TEXT NOT NULL,
      parent_session_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      session_id TEXT NOT NULL,
      PRIMARY KEY (tenant, archived, label, parent_session_id, created_at, session_id)
    ) WITHOUT ROWID;
    CREATE INDEX session_listings_session ON session_listings (session_id);

    CREATE TABLE session_revisions (
      session_id TEXT NOT NULL,
      revision INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      changed_by TEXT,
      session_json TEXT NOT NULL
    );
    CREATE UNIQUE INDEX session_revisions_revision ON session_revisions (session_id, revision);

    CREATE TABLE agent_runs (
      run_id TEXT NOT NULL PRIMARY KEY,
      invocation_id TEXT NOT NULL,
      session_id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      source_kind TEXT NOT NULL,
      source_invocation_id TEXT,
      parent_invocation_id TEXT,
      exclusive INTEGER NOT NULL,
      input_digest BLOB NOT NULL,
      opened_at INTEGER NOT NULL,
      finished_at INTEGER,
      state TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      owner_boot_id TEXT,
      owner_pid_namespace TEXT,
      owner_pid INTEGER NOT NULL,
      owner_process_started_at TEXT,
      lease_expires_at INTEGER,
      stop_requested_at INTEGER,
      stop_requested_by TEXT
    );
    CREATE UNIQUE INDEX agent_runs_exclusive ON agent_runs (session_id) WHERE finished_at IS NULL AND exclusive = 1;
    CREATE UNIQUE INDEX agent_runs_fresh_turn ON agent_runs (session_id, turn_id) WHERE source_kind = 'fresh';
    CREATE INDEX agent_runs_unfinished ON agent_runs (session_id, run_id) WHERE finished_at IS NULL;
    CREATE INDEX agent_runs_owner ON agent_runs (owner_pid, stop_requested_at) WHERE finished_at IS NULL;
    CREATE INDEX agent_runs_newest ON agent_runs (session_id) WHERE exclusive = 1;
    CREATE INDEX agent_runs_turn ON agent_runs (session_id, turn_id) WHERE exclusive = 1;

    CREATE TABLE runtime_heads (
      invocation_id TEXT NOT NULL PRIMARY KEY,
      session_id TEXT NOT NULL,
      run_id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      head INTEGER NOT NULL,
      terminal_seq INTEGER,
      ledger_digest_seq INTEGER NOT NULL,
      ledger_digest BLOB
    ) WITHOUT ROWID;
    CREATE INDEX runtime_heads_run ON runtime_heads (run_id, epoch);

    -- The payload is last: what stands before it is read without following its overflow pages.
    CREATE TABLE runtime_events (
      number INTEGER PRIMARY KEY,
      event_seq INTEGER NOT NULL CHECK (event_seq > 0 AND typeof(event_seq) = 'integer'),
      session_seq INTEGER,
      opened_at INTEGER,
      terminal INTEGER,
      committed_at INTEGER NOT NULL,
      erased_at INTEGER,
      session_id TEXT NOT NULL,
      invocation_id TEXT NOT NULL,
      run_id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      event_id TEXT NOT NULL,
      event_kind TEXT NOT NULL,
      codec TEXT,
      payload_digest BLOB,
      payload_json TEXT NOT NULL
    );
    CREATE UNIQUE INDEX runtime_events_invocation ON runtime_events (invocation_id, event_seq);
    CREATE UNIQUE INDEX runtime_events_id ON runtime_events (invocation_id, event_id);
    CREATE UNIQUE INDEX runtime_events_session ON runtime_events (session_id, session_seq);
    CREATE INDEX runtime_events_openings ON runtime_events (session_id, opened_at, invocation_id)
      WHERE opened_at IS NOT NULL;
    CREATE INDEX runtime_events_terminals ON runtime_events (invocation_id, event_seq) WHERE terminal = 1;

    -- What is asked and answered stands in the events of these positions alone.
    CREATE TABLE requests (
      session_id TEXT NOT NULL,
      request_id TEXT NOT NULL,
      tenant TEXT,
      run_id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      wait TEXT NOT NULL,
      requested_at INTEGER NOT NULL,
      expires_at INTEGER,
      state TEXT NOT NULL,
      session_seq INTEGER NOT NULL,
      answer_session_seq INTEGER,
      PRIMARY KEY (session_id, request_id)
    ) WITHOUT ROWID;
    CREATE INDEX requests_turn ON requests (session_id, turn_id, session_seq);
    CREATE INDEX requests_open ON requests (tenant, requested_at, session_id, request_id) WHERE state = 'open';
    CREATE INDEX requests_open_session ON requests (session_id, requested_at, request_id) WHERE state = 'open';
    CREATE INDEX requests_expiring ON requests (expires_at, session_id, request_id)
      WHERE state = 'open' AND expires_at IS NOT NULL;

    CREATE TABLE agent_event_logs (
      number INTEGER PRIMARY KEY,
      run_id TEXT NOT NULL UNIQUE,
      thread_id TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      finished_at INTEGER,
      claimed_at INTEGER,
      last_seq INTEGER NOT NULL,
      floor INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      truncated INTEGER NOT NULL,
      details TEXT NOT NULL
    );
    CREATE INDEX agent_event_logs_thread ON agent_event_logs (thread_id);
    CREATE INDEX agent_event_logs_finished ON agent_event_logs (finished_at, run_id) WHERE finished_at IS NOT NULL;
    CREATE INDEX agent_event_logs_open ON agent_event_logs (opened_at, run_id) WHERE finished_at IS NULL;

    -- What was written at once is one row, with a line of JSON for each event: see joined-rows.ts.
    CREATE TABLE agent_events (
      number INTEGER PRIMARY KEY,
      log INTEGER NOT NULL,
      last_seq INTEGER NOT NULL,
      write_id TEXT,
      lines TEXT NOT NULL
    );
    CREATE UNIQUE INDEX agent_events_log ON agent_events (log, last_seq);

    ${foreignRowTrigger}

    -- Words by the number of the session, or of the event. Up to where they go the state says.
    CREATE VIRTUAL TABLE search_titles USING fts5(words, content = '', columnsize = 0, detail = none, tokenize = ascii);
    CREATE VIRTUAL TABLE search_said USING fts5(words, content = '', columnsize = 0, detail = none, tokenize = ascii);
    INSERT INTO search_titles (search_titles, rank) VALUES ('secure-delete', 1);
    INSERT INTO search_said (search_said, rank) VALUES ('secure-delete', 1);
    CREATE TABLE search_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      unicode TEXT NOT NULL,
      titles INTEGER NOT NULL,
      said INTEGER NOT NULL
    );
    INSERT INTO search_state (id, unicode, titles, said) VALUES (1, '', 0, 0);
    -- Words of what was removed that are still to go.
    CREATE TABLE search_leftovers (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      number INTEGER NOT NULL,
      words TEXT NOT NULL
    );
  `,
}
