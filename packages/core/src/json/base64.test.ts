import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeBase64 } from './base64.ts'

test('encodeBase64 agrees with the platform', () => {
  fc.assert(
    fc.property(fc.uint8Array({ size: 'max', maxLength: 20_000 }), (bytes) =>
      assert.equal(encodeBase64(bytes), Buffer.from(bytes).toString('base64')),
    ),
  )
})
