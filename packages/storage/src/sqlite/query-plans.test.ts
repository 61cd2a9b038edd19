import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { migrations } from './migrations/index.ts'
import { prepareOperations } from './operations.ts'

/** The plan of each statement that the operations prepare. */
function plans(): { sql: string; plan: string[] }[] {
  const database = new Database(':memory:')
  for (const { sql } of migrations) database.exec(sql)
  const statements: string[] = []
  const prepare = database.prepare.bind(database)
  database.prepare = ((sql: string) => {
    statements.push(sql)
    return prepare(sql)
  }) as typeof database.prepare
  prepareOperations(database)
  return statements.map((sql) => {
    const steps = prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...unbound(sql)) as { detail: string }[]
    return { sql, plan: steps.map(({ detail }) => detail) }
  })
}

function unbound(sql: string): unknown[] {
  const names = Array.from(sql.matchAll(/:(\w+)/g), ([, name]) => [name, null] as const)
  if (names.length > 0) return [Object.fromEntries(names)]
  return Array.from(sql.matchAll(/\?/g), () => null)
}

test('every statement is answered by an index, without a scan and without sorting', () => {
  // Checking a whole storage reads it all, whatever is asked.
  const found = plans().filter(({ sql }) => !sql.includes('AS known'))
  assert.ok(found.length > 30)
  for (const { sql, plan } of found) {
    for (const step of plan)
      assert.doesNotMatch(
        step,
        /^SCAN (?!CONSTANT ROW|json_each|a VIRTUAL TABLE INDEX 1:$|w VIRTUAL TABLE INDEX \d+:M)|TEMP B-TREE/,
        sql,
      )
  }
})

test('an invocation costs its opening and its first terminal, each from a partial index', () => {
  const listings = plans().filter(({ sql }) => sql.includes('runtime_events o'))
  const ranges = [
    'session_id=? AND opened_at>? AND (opened_at,invocation_id)<(?,?)',
    'session_id=? AND (opened_at,invocation_id)>(?,?)',
  ]
  assert.deepEqual(
    listings.map(({ plan }) => plan),
    ranges.map((range) => [
      `SEARCH o USING INDEX runtime_events_openings (${range})`,
      'SEARCH t USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH e USING INDEX runtime_events_terminals (invocation_id=?)',
    ]),
  )
})

test('every listing of sessions is one range of one index', () => {
  const listings = plans().filter(({ sql }) => sql.includes('FROM session_listings l'))
  assert.deepEqual(
    listings.map(({ plan }) => plan),
    [
      [
        'SEARCH l USING PRIMARY KEY (tenant=? AND archived=? AND label=? AND parent_session_id=? AND (created_at,session_id)<(?,?))',
        'SEARCH s USING INDEX sqlite_autoindex_sessions_1 (id=?)',
      ],
    ],
  )
})

test('a listing of runs that have a delivery log is one range of one index', () => {
  const listings = plans().filter(({ sql }) => sql.includes('FROM agent_event_logs') && sql.includes('_at <= '))
  assert.deepEqual(
    listings.map(({ plan }) => plan),
    [
      ['SEARCH agent_event_logs USING INDEX agent_event_logs_finished ((finished_at,run_id)>(?,?) AND finished_at<?)'],
      ['SEARCH agent_event_logs USING INDEX agent_event_logs_open ((opened_at,run_id)>(?,?) AND opened_at<?)'],
    ],
  )
})

test('a search looks up words by number, then what has them', () => {
  const searches = plans().filter(({ sql }) => sql.includes('MATCH'))
  assert.equal(searches.length, 2)
  for (const { plan } of searches) {
    const [words, ...rows] = plan
    assert.match(words!, /^SCAN w VIRTUAL TABLE INDEX \d+:M1</)
    for (const step of rows) assert.match(step, /^SEARCH . USING /)
  }
})

test('a request costs its row and its two events; those that are open, or have expired, are found by themselves', () => {
  const found = plans().filter(({ sql }) => sql.includes('requests q'))
  const events = ['asking', 'answering'].map(
    (event) => `SEARCH ${event} USING INDEX runtime_events_session (session_id=? AND session_seq=?) LEFT-JOIN`,
  )
  const openRuns = 'SEARCH r USING INDEX agent_runs_unfinished (session_id=?)'
  const tenant = ['CORRELATED SCALAR SUBQUERY 1', 'SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (id=?)']
  assert.deepEqual(
    found.map(({ plan }) => plan),
    [
      ['SEARCH q USING PRIMARY KEY (session_id=? AND request_id=?)', ...events],
      ['SEARCH q USING INDEX requests_turn (session_id=? AND turn_id=?)', ...events],
      ['SEARCH q USING INDEX requests_open (tenant=? AND (requested_at,session_id,request_id)>(?,?,?))', ...events],
      ['SEARCH q USING INDEX requests_open_session (session_id=? AND (requested_at,request_id)>(?,?))', ...events],
      [
        'SCAN a VIRTUAL TABLE INDEX 1:',
        'SEARCH q USING PRIMARY KEY (session_id=? AND request_id=?)',
        'SEARCH r USING INDEX sqlite_autoindex_agent_runs_1 (run_id=?)',
        ...events,
      ],
      [
        'SEARCH q USING INDEX requests_expiring ((expires_at,session_id,request_id)>(?,?,?) AND expires_at<?)',
        'CORRELATED SCALAR SUBQUERY 1',
        openRuns,
        ...events,
      ],
      ['SEARCH q USING PRIMARY KEY (session_id=? AND request_id>?)', ...events, ...tenant],
      ['SEARCH q USING PRIMARY KEY (session_id=? AND request_id>?)', ...events, ...tenant],
    ],
  )
})

test('closing what is open costs nothing for what was closed before', () => {
  const closing = plans().filter(({ sql }) => sql.startsWith('UPDATE requests INDEXED'))
  assert.equal(closing.length, 2)
  for (const { plan } of closing)
    assert.equal(plan[0], 'SEARCH requests USING INDEX requests_open_session (session_id=?)')
})

test('verify looks for the events of a head, a run or a log by its own id, not by its session', () => {
  const found = plans().filter(({ sql }) => sql.includes('NOT EXISTS'))
  assert.ok(found.length >= 4)
  for (const { sql, plan } of found) {
    const ofEvents = plan.filter((step) => step.startsWith('SEARCH e '))
    for (const step of ofEvents) assert.match(step, /^SEARCH e USING INDEX runtime_events_invocation /, sql)
  }
})
