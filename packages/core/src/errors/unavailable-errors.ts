import { DaybookError } from './daybook-error.ts'

/** Other writers held the storage for longer than `waitedMs`. */
export class StorageBusyError extends DaybookError {
  readonly waitedMs: number
  constructor(waitedMs: number, options?: { cause?: unknown }) {
    super('STORAGE_BUSY', `the storage was locked by another writer for ${waitedMs} ms`, options)
    this.waitedMs = waitedMs
  }
}

/** The disk or the configured maximum is full. Reads go on; writes work again after space is freed. */
export class StorageFullError extends DaybookError {
  constructor(options?: { cause?: unknown }) {
    super('STORAGE_FULL', 'the storage is full; nothing of this write was kept', options)
  }
}

export class StorageReadOnlyError extends DaybookError {
  constructor(options?: { cause?: unknown }) {
    super('STORAGE_READ_ONLY', 'the storage is open or mounted read-only', options)
  }
}

/** The operating system failed a read or a write. Whether this write was kept is known only after reading again. */
export class StorageIoError extends DaybookError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('STORAGE_IO', message, options)
  }
}

export class StorageClosedError extends DaybookError {
  constructor() {
    super('STORAGE_CLOSED', 'the storage is closed')
  }
}

/** The session manager was closed: it starts nothing more. What the stores hold can still be read. */
export class ManagerClosedError extends DaybookError {
  constructor() {
    super('MANAGER_CLOSED', 'the session manager is closed')
  }
}

/** The event log was closed: nothing more is recorded or followed through it. What the store holds can still be read. */
export class AgentEventLogClosedError extends DaybookError {
  constructor() {
    super('AGENT_EVENT_LOG_CLOSED', 'the event log is closed')
  }
}

/** So many events of the run wait to be written that this one was not taken: wait for each before recording the next. */
export class AgentEventQueueFullError extends DaybookError {
  readonly runId: string
  readonly waiting: number
  constructor(runId: string, waiting: number) {
    super('AGENT_EVENT_QUEUE_FULL', `${waiting} events of run "${runId}" wait to be written; wait for them`)
    this.runId = runId
    this.waiting = waiting
  }
}

/** Another SQLite library in this process replaced the write-ahead log: a write now could be lost, so it was refused. */
export class WalReplacedError extends DaybookError {
  constructor(file: string) {
    super(
      'WAL_REPLACED',
      `the write-ahead log of ${file} was replaced by another SQLite library in this process; close every store and open again`,
    )
  }
}
