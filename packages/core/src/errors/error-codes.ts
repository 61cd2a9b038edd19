/**
 * What the caller does next:
 * - `input`: the call was wrong; nothing was written; change the call.
 * - `conflict`: the call was right for another state; read the state again, then decide.
 * - `unavailable`: the storage could not do it now; nothing was acknowledged; try again later.
 * - `damage`: stored data is not what Daybook wrote; run verify on it.
 */
export type ErrorFamily = 'input' | 'conflict' | 'unavailable' | 'damage'

/** Every code that Daybook throws or records. A code never changes its meaning. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_ID'
  | 'INVALID_EVENT'
  | 'NOT_CANONICAL'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNKNOWN_BACKEND'
  | 'SESSION_NOT_FOUND'
  | 'RUN_NOT_FOUND'
  | 'TURN_NOT_FOUND'
  | 'REQUEST_NOT_FOUND'
  | 'MIXED_STORAGES'
  | 'UNSUPPORTED'
  | 'ROOT_UNUSABLE'
  | 'NOT_A_LEDGER'
  | 'NEWER_LEDGER'
  | 'UNSUPPORTED_NODE'
  | 'SESSION_EXISTS'
  | 'SESSION_BUSY'
  | 'TURN_EXISTS'
  | 'RUN_EXISTS'
  | 'AGENT_EVENT_DUPLICATE_SEQ'
  | 'AGENT_EVENT_LOG_NOT_OPEN'
  | 'AGENT_EVENT_LOG_SEALED'
  | 'EVENT_ID_CONFLICT'
  | 'STALE_OWNER'
  | 'RUN_SEALED'
  | 'RUN_OWNED'
  | 'STOP_PENDING'
  | 'TURN_NOT_NEWEST'
  | 'NOTHING_TO_CONTINUE'
  | 'REQUEST_CLOSED'
  | 'REQUEST_CHANGED'
  | 'REQUEST_EXPIRED'
  | 'REVISION_CONFLICT'
  | 'SESSION_HAS_BRANCHES'
  | 'AGENT_EVENT_QUEUE_FULL'
  | 'STORAGE_BUSY'
  | 'STORAGE_FULL'
  | 'STORAGE_READ_ONLY'
  | 'STORAGE_IO'
  | 'STORAGE_CLOSED'
  | 'MANAGER_CLOSED'
  | 'AGENT_EVENT_LOG_CLOSED'
  | 'WAL_REPLACED'
  | 'LEDGER_DAMAGED'

/** The family of each code. */
export const errorCodes: Readonly<Record<ErrorCode, ErrorFamily>> = {
  INVALID_INPUT: 'input',
  INVALID_ID: 'input',
  INVALID_EVENT: 'input',
  NOT_CANONICAL: 'input',
  PAYLOAD_TOO_LARGE: 'input',
  UNKNOWN_BACKEND: 'input',
  SESSION_NOT_FOUND: 'input',
  RUN_NOT_FOUND: 'input',
  TURN_NOT_FOUND: 'input',
  REQUEST_NOT_FOUND: 'input',
  MIXED_STORAGES: 'input',
  UNSUPPORTED: 'input',
  ROOT_UNUSABLE: 'input',
  NOT_A_LEDGER: 'input',
  NEWER_LEDGER: 'input',
  UNSUPPORTED_NODE: 'input',
  SESSION_EXISTS: 'conflict',
  SESSION_BUSY: 'conflict',
  TURN_EXISTS: 'conflict',
  RUN_EXISTS: 'conflict',
  AGENT_EVENT_DUPLICATE_SEQ: 'conflict',
  AGENT_EVENT_LOG_NOT_OPEN: 'conflict',
  AGENT_EVENT_LOG_SEALED: 'conflict',
  EVENT_ID_CONFLICT: 'conflict',
  STALE_OWNER: 'conflict',
  RUN_SEALED: 'conflict',
  RUN_OWNED: 'conflict',
  STOP_PENDING: 'conflict',
  TURN_NOT_NEWEST: 'conflict',
  NOTHING_TO_CONTINUE: 'conflict',
  REQUEST_CLOSED: 'conflict',
  REQUEST_CHANGED: 'conflict',
  REQUEST_EXPIRED: 'conflict',
  REVISION_CONFLICT: 'conflict',
  SESSION_HAS_BRANCHES: 'conflict',
  AGENT_EVENT_QUEUE_FULL: 'unavailable',
  STORAGE_BUSY: 'unavailable',
  STORAGE_FULL: 'unavailable',
  STORAGE_READ_ONLY: 'unavailable',
  STORAGE_IO: 'unavailable',
  STORAGE_CLOSED: 'unavailable',
  MANAGER_CLOSED: 'unavailable',
  AGENT_EVENT_LOG_CLOSED: 'unavailable',
  WAL_REPLACED: 'unavailable',
  LEDGER_DAMAGED: 'damage',
}
