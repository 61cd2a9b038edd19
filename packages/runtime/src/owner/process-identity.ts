import type { RunOwner } from '@daybook/core'
import type { ProcessTable } from './process-table.ts'

/** This process as the owner of its runs. */
export function currentOwner(table: ProcessTable): RunOwner {
  return {
    bootId: table.bootId,
    pidNamespace: table.pidNamespace,
    pid: process.pid,
    processStartedAt: table.look(process.pid)?.startedAt ?? null,
  }
}

/**
 * True only when nothing can be wrong about it: the owner lived under this boot and in this pid namespace, and its pid
 * is free or belongs to a process that started at another time. An owner elsewhere is never provably dead from here.
 */
export function isProvablyDead(owner: RunOwner, table: ProcessTable): boolean {
  if (owner.bootId === null || owner.bootId !== table.bootId) return false
  if (owner.pidNamespace === null || owner.pidNamespace !== table.pidNamespace) return false
  const found = table.look(owner.pid)
  if (found === undefined) return true
  return owner.processStartedAt !== null && found.startedAt !== null && owner.processStartedAt !== found.startedAt
}

export function isSameOwner(a: RunOwner, b: RunOwner): boolean {
  return (
    a.bootId === b.bootId &&
    a.pidNamespace === b.pidNamespace &&
    a.pid === b.pid &&
    a.processStartedAt === b.processStartedAt
  )
}
