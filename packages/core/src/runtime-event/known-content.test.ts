import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isKnownContent } from './known-content.ts'

describe('isKnownContent', () => {
  test('knows a kind of this version, also with fields that newer code added', () => {
    assert.ok(isKnownContent({ kind: 'text', text: 'a' }))
    assert.ok(isKnownContent({ kind: 'text', text: 'a', language: 'en' }))
  })

  test('does not know another kind, no content, or content that is not what its kind says', () => {
    assert.ok(!isKnownContent({ kind: 'hologram' }))
    assert.ok(!isKnownContent({ kind: 'constructor' }))
    assert.ok(!isKnownContent(undefined))
    assert.ok(!isKnownContent({ kind: 'text', text: 1 }))
    assert.ok(!isKnownContent({ kind: 'function_call', toolCallId: 'c', name: 'n' }))
  })
})
