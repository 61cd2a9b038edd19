import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hideSecrets } from './hide-secrets.ts'

describe('hideSecrets', () => {
  const cases: readonly [of: string, text: string, left: string][] = [
    [
      'a header that the platform refuses',
      'Headers.append: "Bearer abc\ndef" is an invalid header value.',
      'Headers.append: "[hidden]" is an invalid header value.',
    ],
    [
      'an authorization',
      "sent 'authorization: Bearer abcdefgh.ijklmnopq', was refused",
      "sent 'authorization: Bearer [hidden]', was refused",
    ],
    [
      'a URL with credentials',
      'cannot fetch http://me:pass@host.example:1/v1/chat',
      'cannot fetch http://[hidden]@host.example:1/v1/chat',
    ],
    [
      'a URL with a key',
      'POST https://host.example/v1?alt=sse&api_key=abc&X-Sig=def#top failed',
      'POST https://host.example/v1?alt=sse&api_key=[hidden]&X-Sig=[hidden]#top failed',
    ],
    [
      'the key of a provider',
      'Incorrect API key provided: sk-proj-abcdefghijklmnop_123.',
      'Incorrect API key provided: [hidden].',
    ],
    [
      'keys in a text that is encoded for a URL',
      'sent Bearer%20abcdefgh.ijklmnopq%0Ask-proj-abcdefghijklmnop_123',
      'sent Bearer%20[hidden]%0A[hidden]',
    ],
    ['a key of Google', `API key AIza${'x'.repeat(35)} is not valid`, 'API key [hidden] is not valid'],
  ]
  for (const [of, text, left] of cases) it(`hides ${of}`, () => assert.equal(hideSecrets(text), left))

  it('leaves other texts as they are', () => {
    for (const text of [
      'The basic plan allows 3 requests; bearer authentication is needed',
      'Unknown model sk-tiny; see https://host.example/docs?page=2',
      'mail me@host.example: token limit reached',
    ]) {
      assert.equal(hideSecrets(text), text)
    }
  })

  it('ends soon for long texts that only begin like one', { timeout: 20_000 }, () => {
    for (const piece of ['Bearer ', '"', '://', '://a', '?key', '?', 'a', 'sk-a', 'sk-']) {
      const text = piece.repeat(1_000_000 / piece.length)
      assert.equal(typeof hideSecrets(text), 'string')
    }
  })

  it('hides what it left once and for all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Bearer ', '"', 'a://b:c@', '?key=x', 'sk-', '[hidden]', 'a'.repeat(16))),
        (pieces) => {
          const left = hideSecrets(pieces.join(''))
          assert.equal(hideSecrets(left), left)
        },
      ),
    )
  })
})
