import { StorageClosedError } from '@daybook/core'

/** Whether one store of a storage is open: each can be closed by itself. */
export interface Gate {
  /** Throws `StorageClosedError` once it is closed. */
  readonly check: () => void
  readonly close: () => void
}

export function createGate(): Gate {
  let closed = false
  return {
    check() {
      if (closed) throw new StorageClosedError()
    },
    close() {
      closed = true
    },
  }
}
