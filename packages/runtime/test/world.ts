import type { ProcessTable } from '@daybook/runtime/session-manager'

/** A world in which this process started at `self` and every other time is that of a process that is gone. */
export function world(self: string, facts: Partial<ProcessTable> = {}): ProcessTable {
  return { bootId: 'boot', pidNamespace: 'pid:[1]', look: () => ({ startedAt: self }), ...facts }
}
