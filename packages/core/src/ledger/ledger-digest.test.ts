import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { chainLedgerDigest, emptyLedgerDigest } from './ledger-digest.ts'
import type { Sha256 } from './sha256.ts'

const sha256: Sha256 = (text) => hash('sha256', text, 'hex')

const chain = (rows: readonly (readonly [number, string])[]) =>
  rows.reduce((previous, [seq, digest]) => chainLedgerDigest(sha256, previous, seq, digest), emptyLedgerDigest)

test('the chain is the SHA-256 of the chain before, the seq and the digest of the payload', () => {
  const [first, second] = [sha256('{"a":1}'), sha256('{"b":2}')]
  assert.equal(chain([]), '')
  assert.equal(chain([[1, first]]), sha256(`\n1:${first}`))
  assert.equal(
    chain([
      [1, first],
      [2, second],
    ]),
    sha256(`${sha256(`\n1:${first}`)}\n2:${second}`),
  )
})

test('the chain differs when a row is changed, missing, moved or added', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(sha256) as [string, string, string]
  const chains = [
    [
      [1, a],
      [2, b],
    ],
    [
      [1, a],
      [2, c],
    ],
    [[2, b]],
    [
      [1, b],
      [2, a],
    ],
    [
      [2, a],
      [3, b],
    ],
    [
      [1, a],
      [2, b],
      [3, c],
    ],
  ] as const
  assert.equal(new Set(chains.map(chain)).size, chains.length)
})
