import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { RunOwner } from '@daybook/core'
import { until } from '../../test/until.ts'
import { currentOwner, isProvablyDead } from './process-identity.ts'
import { systemProcessTable, type ProcessTable } from './process-table.ts'

const owner: RunOwner = { bootId: 'boot-1', pidNamespace: 'pid:[1]', pid: 42, processStartedAt: '100' }

function table(facts: Partial<Omit<ProcessTable, 'look'>>, found?: { startedAt: string | null }): ProcessTable {
  return { bootId: 'boot-1', pidNamespace: 'pid:[1]', ...facts, look: () => found }
}

describe('isProvablyDead', () => {
  test('is true when the pid is free', () => {
    assert.equal(isProvablyDead(owner, table({})), true)
  })

  test('is true when the pid belongs to a process that started at another time', () => {
    assert.equal(isProvablyDead(owner, table({}, { startedAt: '101' })), true)
  })

  test('is false while the owner runs', () => {
    assert.equal(isProvablyDead(owner, table({}, { startedAt: '100' })), false)
  })

  test('is false when either start time is unknown', () => {
    assert.equal(isProvablyDead(owner, table({}, { startedAt: null })), false)
    assert.equal(isProvablyDead({ ...owner, processStartedAt: null }, table({}, { startedAt: '100' })), false)
  })

  test('is false for an owner of another boot or another pid namespace', () => {
    assert.equal(isProvablyDead(owner, table({ bootId: 'boot-2' })), false)
    assert.equal(isProvablyDead(owner, table({ pidNamespace: 'pid:[2]' })), false)
  })

  test('is false where the system does not tell, even when both sides do not know', () => {
    assert.equal(isProvablyDead({ ...owner, bootId: null }, table({ bootId: null })), false)
    assert.equal(isProvablyDead({ ...owner, pidNamespace: null }, table({ pidNamespace: null })), false)
  })
})

const skip = process.platform !== 'linux' && 'needs /proc'

describe('systemProcessTable', () => {
  const system = systemProcessTable()

  test('identifies this process, which lives', { skip }, () => {
    const self = currentOwner(system)
    assert.match(self.bootId ?? '', /^[0-9a-f-]{36}$/)
    assert.match(self.pidNamespace ?? '', /^pid:\[\d+\]$/)
    assert.match(self.processStartedAt ?? '', /^\d+$/)
    assert.equal(isProvablyDead(self, system), false)
  })

  test('sees a child that was killed as dead, and not before', { skip }, async () => {
    const child = spawn(process.execPath, ['--eval', 'process.stdout.write("up"); setInterval(() => {}, 1e6)'])
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    const pid = child.pid!
    const self = currentOwner(system)
    const identity: RunOwner = { ...self, pid, processStartedAt: system.look(pid)!.startedAt }
    assert.notEqual(identity.processStartedAt, null)
    assert.equal(isProvablyDead(identity, system), false)
    child.kill('SIGKILL')
    await exited
    assert.equal(isProvablyDead(identity, system), true)
  })

  test('takes a zombie for dead', { skip }, async () => {
    // The shell becomes `sleep`, which never fetches the status of the child that the shell left to it.
    const parent = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'])
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer]
      const pid = Number(String(line).trim())
      await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n')
      assert.notEqual(system.look(pid), undefined)
      process.kill(pid, 'SIGKILL')
      await until(() => system.look(pid) === undefined)
      assert.doesNotThrow(() => process.kill(pid, 0), 'it is still in the process table')
    } finally {
      parent.kill('SIGKILL')
    }
  })
})
