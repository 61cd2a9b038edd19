import { DaybookError } from './daybook-error.ts'

/** A field of a call has a value that no state would accept. */
export class InvalidInputError extends DaybookError {
  readonly field: string
  constructor(field: string, problem: string, options?: { cause?: unknown }) {
    super('INVALID_INPUT', `${field} ${problem}`, options)
    this.field = field
  }
}

/** An id is empty, longer than 200 bytes, not well-formed Unicode, or holds NUL. */
export class InvalidIdError extends DaybookError {
  readonly field: string
  constructor(field: string, problem: string) {
    super('INVALID_ID', `${field} ${problem}`)
    this.field = field
  }
}

/** A runtime or session event does not have the shape of its kind. `path` is a JSON Pointer into the event. */
export class InvalidEventError extends DaybookError {
  readonly path: string
  constructor(path: string, problem: string, options?: { cause?: unknown }) {
    super('INVALID_EVENT', `${path === '' ? 'the event' : path} ${problem}`, options)
    this.path = path
  }
}

/** A value has no lossless JSON text. `path` is a JSON Pointer to the offending part. */
export class NotCanonicalError extends DaybookError {
  readonly path: string
  constructor(path: string, problem: string, options?: { cause?: unknown }) {
    super('NOT_CANONICAL', `${path === '' ? 'the value' : path} ${problem}`, options)
    this.path = path
  }
}

/** Something is larger than the ledger takes in one piece. Sizes are bytes of UTF-8. */
export class PayloadTooLargeError extends DaybookError {
  readonly field: string
  readonly bytes: number
  readonly maxBytes: number
  constructor(field: string, bytes: number, maxBytes: number) {
    super(
      'PAYLOAD_TOO_LARGE',
      `${field} has ${bytes} bytes; at most ${maxBytes} fit. Store it elsewhere and refer to it.`,
    )
    this.field = field
    this.bytes = bytes
    this.maxBytes = maxBytes
  }
}

export class UnknownBackendError extends DaybookError {
  readonly kind: string
  readonly known: readonly string[]
  constructor(kind: string, known: readonly string[]) {
    super(
      'UNKNOWN_BACKEND',
      `no backend of kind "${kind}" is registered; known kinds: ${known.length === 0 ? 'none' : known.join(', ')}`,
    )
    this.kind = kind
    this.known = known
  }
}

/** The session does not exist, or not in the caller's scope; the two are not told apart. */
export class SessionNotFoundError extends DaybookError {
  readonly sessionId: string
  constructor(sessionId: string) {
    super('SESSION_NOT_FOUND', `there is no session "${sessionId}" in this scope`)
    this.sessionId = sessionId
  }
}

export class RunNotFoundError extends DaybookError {
  readonly runId: string
  constructor(runId: string) {
    super('RUN_NOT_FOUND', `there is no run "${runId}"; open it before appending to it`)
    this.runId = runId
  }
}

/** The session has no turn with this id. A branch does not answer for the turns that it shows of its parent. */
export class TurnNotFoundError extends DaybookError {
  readonly sessionId: string
  readonly turnId: string
  constructor(sessionId: string, turnId: string) {
    super('TURN_NOT_FOUND', `session "${sessionId}" has no turn "${turnId}"`)
    this.sessionId = sessionId
    this.turnId = turnId
  }
}

/** Nothing with this id was ever asked in the session. */
export class RequestNotFoundError extends DaybookError {
  readonly sessionId: string
  readonly requestId: string
  constructor(sessionId: string, requestId: string) {
    super('REQUEST_NOT_FOUND', `nothing was asked under the id "${requestId}" in session "${sessionId}"`)
    this.sessionId = sessionId
    this.requestId = requestId
  }
}

/** The stores given to one runtime were opened from different storages, so no transaction can span them. */
export class MixedStoragesError extends DaybookError {
  constructor() {
    super(
      'MIXED_STORAGES',
      'the session, run and event stores must come from one storage: open them from the same root or the same openSqlite() call',
    )
  }
}

/** The backend or driver does not have this optional ability. */
export class UnsupportedError extends DaybookError {
  readonly ability: string
  constructor(ability: string, by: string) {
    super('UNSUPPORTED', `${by} does not support ${ability}`)
    this.ability = ability
  }
}

/** The folder for the ledger cannot be used: missing, not a folder, or not writable. */
export class RootUnusableError extends DaybookError {
  readonly root: string
  constructor(root: string, problem: string, options?: { cause?: unknown }) {
    super('ROOT_UNUSABLE', `the folder ${root} cannot hold a ledger: ${problem}`, options)
    this.root = root
  }
}

/** The file exists and is not a Daybook ledger; it was left as it is. */
export class NotALedgerError extends DaybookError {
  readonly file: string
  constructor(file: string, problem: string, options?: { cause?: unknown }) {
    super('NOT_A_LEDGER', `${file} is not a Daybook ledger: ${problem}`, options)
    this.file = file
  }
}

/** The file was last migrated by newer code that this version must not write beside. */
export class NewerLedgerError extends DaybookError {
  readonly file: string
  readonly minCodeVersion: number
  readonly codeVersion: number
  constructor(file: string, minCodeVersion: number, codeVersion: number) {
    super(
      'NEWER_LEDGER',
      `${file} needs schema version ${minCodeVersion} or newer code; this code knows version ${codeVersion}. Upgrade Daybook.`,
    )
    this.file = file
    this.minCodeVersion = minCodeVersion
    this.codeVersion = codeVersion
  }
}

export class UnsupportedNodeError extends DaybookError {
  constructor(version: string, needed: string) {
    super('UNSUPPORTED_NODE', `Node.js ${version} cannot run the SQLite driver: it needs ${needed}`)
  }
}
