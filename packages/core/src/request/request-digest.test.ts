import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { RequestAction } from '../runtime-event/actions.ts'
import { requestDigest } from './request-digest.ts'

const request: RequestAction = { requestId: 'r', kind: 'sandbox_boundary', payload: { b: 1, a: [2] } }
const digest = (text: string) => hash('sha256', text, 'hex')

test('the digest is that of the canonical text of what a person decides on', () => {
  const text = '{"kind":"sandbox_boundary","payload":{"a":[2],"b":1},"requestId":"r"}'
  assert.equal(requestDigest(digest, request), digest(text))
})

test('the digest tells apart what is decided on, and leaves out how long and how the backend waits', () => {
  const same = { ...request, wait: 'live', expiresInMs: 5, payload: { a: [2], b: 1 } } as const
  const others: readonly RequestAction[] = [
    { ...request, requestId: 's' },
    { ...request, kind: 'user_question' },
    { ...request, payload: { b: 1, a: [3] } },
    { ...request, toolCallId: 'call' },
  ]
  assert.equal(requestDigest(digest, same), requestDigest(digest, request))
  assert.equal(new Set([request, ...others].map((one) => requestDigest(digest, one))).size, 5)
})
