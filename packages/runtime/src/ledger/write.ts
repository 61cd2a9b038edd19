import { DaybookError, type ErrorCode } from '@daybook/core'

const maxAttempts = 3

/**
 * Tries a write that may be repeated again when it failed for a passing reason: the storage was busy, or did not say
 * whether the write was kept. There is no pause in between; a storage waits for other writers by itself.
 */
export async function writeWithRetries<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (attempt === maxAttempts || !isOutcomeUnknown(error)) throw error
    }
  }
}

/** Whether a write that failed like this may have been kept; only such a failure may pass by itself. */
export function isOutcomeUnknown(error: unknown): boolean {
  const code = codeOf(error)
  return code === undefined || code === 'STORAGE_BUSY' || code === 'STORAGE_IO'
}

/** The code of Daybook's errors, also of those from another installed copy; undefined for anything else. Never throws. */
export function codeOf(error: unknown): ErrorCode | undefined {
  try {
    return DaybookError.is(error) ? error.code : undefined
  } catch {
    return undefined
  }
}

/** Whose doing a refused append is: that of the event, of another process that took the run, or of the store. */
export function faultOf(error: unknown): 'event' | 'owner' | 'store' {
  switch (codeOf(error)) {
    case 'INVALID_INPUT':
    case 'INVALID_ID':
    case 'INVALID_EVENT':
    case 'NOT_CANONICAL':
    case 'PAYLOAD_TOO_LARGE':
    case 'EVENT_ID_CONFLICT':
      return 'event'
    case 'STALE_OWNER':
    case 'RUN_SEALED':
    case 'RUN_NOT_FOUND':
      return 'owner'
    default:
      return 'store'
  }
}

/** Whether it is the delivery log that was refused, or a part of the storage that may be the log's: the facts may be taken alone. */
export function isAboutLog(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'LEDGER_DAMAGED' || code?.startsWith('AGENT_EVENT_') === true
}
