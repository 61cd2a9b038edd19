import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionMode, PermissionRule } from '../ports/session-store.ts'
import { permissionFor } from './permission.ts'

const session = (permissionMode: PermissionMode, ...permissionRules: readonly PermissionRule[]) => ({
  permissionMode,
  permissionRules,
})

test('without a rule the mode decides about tools that need leave, and the others run', () => {
  for (const mode of ['ask', 'bypass', 'deny'] as const) {
    assert.equal(permissionFor(session(mode), 'write', true), mode)
    assert.equal(permissionFor(session(mode), 'read', false), 'bypass')
  }
})

test('the first rule that names the tool decides, whether or not the tool needs leave', () => {
  const given = session('ask', { tool: 'write', mode: 'bypass' }, { tool: 'write*', mode: 'deny' })
  for (const needsLeave of [true, false]) {
    assert.equal(permissionFor(given, 'write', needsLeave), 'bypass')
    assert.equal(permissionFor(given, 'write_file', needsLeave), 'deny')
  }
  assert.equal(permissionFor(given, 'overwrite', true), 'ask')
})

test('a rule names one tool, or all whose names begin so', () => {
  const named = (tool: string, toolName: string) =>
    permissionFor(session('ask', { tool, mode: 'deny' }), toolName, true) === 'deny'
  assert.ok(named('*', 'anything'))
  assert.ok(named('mcp_*', 'mcp_'))
  assert.ok(!named('mcp_*', 'mcp'))
  assert.ok(!named('write', 'Write'))
  assert.ok(!named('a.c', 'abc'))
  assert.ok(!named('*file', 'read_file'))
})
