import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionChanges, SessionRecord } from '../ports/session-store.ts'
import { checkUpdate } from './check-update.ts'
import { planUpdate } from './plan-update.ts'

const scope = { tenant: null }
const session: SessionRecord = {
  id: 's',
  tenant: null,
  subject: null,
  externalId: null,
  title: 'before',
  cwd: '/somewhere',
  backendKind: 'test',
  llmConnectionSlug: null,
  model: 'one',
  permissionMode: 'ask',
  permissionRules: [],
  settings: { a: 1 },
  revision: 4,
  labels: ['a'],
  parentSessionId: null,
  parentSessionSeq: null,
  createdAt: 0,
  archivedAt: null,
}

function update(changes: object, expectedRevision?: number) {
  const request = { sessionId: 's', scope, changes: changes as SessionChanges, by: 'me' }
  const checked = checkUpdate({ ...request, ...(expectedRevision !== undefined && { expectedRevision }) })
  return planUpdate(session, checked, 9)
}

test('an update makes the next revision of what it names, and leaves the rest', () => {
  const changes = { title: null, model: 'two', settings: { b: 2 }, cwd: undefined }
  assert.deepEqual(update(changes, 4), {
    revision: 5,
    changedAt: 9,
    by: 'me',
    session: { ...session, title: null, model: 'two', settings: { b: 2 }, revision: 5 },
  })
})

test('archiving says when, once; what is archived can be taken back', () => {
  const archived = update({ archived: true }).session
  assert.equal(archived.archivedAt, 9)
  const again = checkUpdate({ sessionId: 's', scope, changes: { archived: true } })
  assert.equal(planUpdate(archived, again, 20).session.archivedAt, 9)
  const back = checkUpdate({ sessionId: 's', scope, changes: { archived: false } })
  assert.equal(planUpdate(archived, back, 20).session.archivedAt, null)
})

test('another revision than the expected one is a conflict', () => {
  const conflict = { code: 'REVISION_CONFLICT', sessionId: 's', expectedRevision: 3, revision: 4 }
  assert.throws(() => update({ title: 'x' }, 3), conflict)
})

test('what no session can take is refused, and the field named', () => {
  const refused: readonly (readonly [field: string, changes: unknown])[] = [
    ['changes', {}],
    ['changes', { title: undefined }],
    ['changes', null],
    ['changes.id', { id: 'other' }],
    ['changes.revision', { revision: 9 }],
    ['changes.title', { title: 5 }],
    ['changes.permissionMode', { permissionMode: null }],
    ['changes.permissionRules.0.mode', { permissionRules: [{ tool: 'a', mode: 'maybe' }] }],
    ['changes.labels.1', { labels: ['a', ''] }],
    ['changes.labels.1', { labels: ['a', 'a'] }],
    ['changes.archived', { archived: 'yes' }],
  ]
  for (const [field, changes] of refused) {
    assert.throws(() => update(changes as object), { code: 'INVALID_INPUT', field }, JSON.stringify(changes))
  }
  assert.throws(() => update({ title: 'x' }, 0), { code: 'INVALID_INPUT', field: 'expectedRevision' })
  assert.throws(() => checkUpdate({ sessionId: 's', scope, changes: { title: 'x' }, by: '' }), { code: 'INVALID_ID' })
  assert.throws(() => update({ settings: { when: new Date(0) } }), { code: 'NOT_CANONICAL' })
  assert.throws(() => update({ title: 'x'.repeat(2 ** 20) }), { code: 'PAYLOAD_TOO_LARGE' })
})
