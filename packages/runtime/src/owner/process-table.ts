import { readFileSync, readlinkSync } from 'node:fs'

/** What the system tells about processes. Every field that it does not tell is null. */
export interface ProcessTable {
  /** One boot of one kernel. */
  readonly bootId: string | null
  /** The namespace in which this process sees pids. */
  readonly pidNamespace: string | null
  /** The process with this pid; undefined when there is certainly none that still runs. */
  look(pid: number): { readonly startedAt: string | null } | undefined
}

/** Reads Linux's `/proc`; on other systems nothing is known beyond whether a pid exists. */
export function systemProcessTable(): ProcessTable {
  return {
    bootId: read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: read(() => readlinkSync('/proc/self/ns/pid')),
    look: (pid) => {
      if (!exists(pid)) return undefined
      const fields = read(() => statFields(readFileSync(`/proc/${pid}/stat`, 'utf8')))
      if (fields === null) return { startedAt: null }
      return hasExited(fields) ? undefined : { startedAt: fields[19] ?? null }
    },
  }
}

/** The fields from the third on, `state`: the second, the command's name, may itself hold spaces and parentheses. */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** A zombie has exited: it only waits for its parent to fetch its status, which in some containers never happens. */
function hasExited(fields: readonly string[]): boolean {
  return fields[0] === 'Z' || fields[0] === 'X'
}

/** Asks by signal, not by `/proc`, which may hide other users' processes. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function read<T>(from: () => T): T | null {
  try {
    return from()
  } catch {
    return null
  }
}
