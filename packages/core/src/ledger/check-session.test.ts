import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionRecord } from '../ports/session-store.ts'
import { checkSession } from './check-session.ts'

const session: SessionRecord = {
  id: 's',
  tenant: null,
  subject: null,
  externalId: null,
  title: null,
  cwd: null,
  backendKind: 'test',
  llmConnectionSlug: null,
  model: null,
  permissionMode: 'ask',
  permissionRules: [{ tool: 'write*', mode: 'ask' }],
  settings: { list: [1] },
  revision: 1,
  labels: ['a'],
  parentSessionId: null,
  parentSessionSeq: null,
  createdAt: 0,
  archivedAt: null,
}

test('a session is copied', () => {
  const checked = checkSession(session)
  assert.deepEqual(checked, session)
  assert.notEqual(checked.settings, session.settings)
  assert.notEqual(checked.labels, session.labels)
})

test('a session with a wrong field is refused, and the field is named', () => {
  const refused: Record<string, readonly [field: string, values: readonly unknown[]]> = {
    INVALID_ID: ['id', ['', 'x'.repeat(201), 'a\0b', '\ud800', 1, null, undefined]],
    INVALID_INPUT: ['permissionMode', ['maybe', null]],
  }
  for (const [code, [field, values]] of Object.entries(refused)) {
    for (const value of values) {
      assert.throws(() => checkSession({ ...session, [field]: value } as SessionRecord), { code, field })
    }
  }
  for (const [field, value] of Object.entries({
    revision: -1,
    createdAt: 0.5,
    labels: [1],
    backendKind: '',
    title: 5,
    surplus: 1,
  })) {
    const wrong = { ...session, [field]: value } as SessionRecord
    assert.throws(() => checkSession(wrong), { code: 'INVALID_INPUT' }, field)
  }
})

test('a rule that names no tool is refused', () => {
  for (const tool of ['', 'write*it', '**', 5]) {
    const permissionRules = [{ tool, mode: 'deny' }] as unknown as SessionRecord['permissionRules']
    assert.throws(() => checkSession({ ...session, permissionRules }), { code: 'INVALID_INPUT' }, String(tool))
  }
  for (const tool of ['*', 'write', 'write*']) checkSession({ ...session, permissionRules: [{ tool, mode: 'deny' }] })
})

test('settings without a lossless JSON text are refused with their path', () => {
  const settings = { when: new Date(0) } as unknown as SessionRecord['settings']
  assert.throws(() => checkSession({ ...session, settings }), { code: 'NOT_CANONICAL', path: '/settings/when' })
})

test('a session larger than an event may be is refused', () => {
  assert.throws(() => checkSession({ ...session, title: 'x'.repeat(2 ** 20) }), { code: 'PAYLOAD_TOO_LARGE' })
})
