import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { chainLedgerDigest, emptyLedgerDigest } from './ledger-digest.ts'
import type { Sha256 } from './sha256.ts'

const sha256: Sha256 = (text) => hash('sha256', text, 'hex')

/** Rows whose session holds ten events before them. */
const chain = (rows: readonly (readonly [number, string])[], before = 10) =>
  rows.reduce(
    (previous, [eventSeq, payloadDigest]) =>
      chainLedgerDigest(sha256, previous, { eventSeq, sessionSeq: before + eventSeq, payloadDigest }),
    emptyLedgerDigest,
  )

test('the chain is the SHA-256 of the chain before, the two seqs and the digest of the payload', () => {
  const [first, second] = [sha256('{"a":1}'), sha256('{"b":2}')]
  assert.equal(chain([]), '')
  assert.equal(chain([[1, first]]), sha256(`\n1:11:${first}`))
  assert.equal(
    chain([
      [1, first],
      [2, second],
    ]),
    sha256(`${sha256(`\n1:11:${first}`)}\n2:12:${second}`),
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
  assert.equal(new Set(chains.map((rows) => chain(rows))).size, chains.length)
})

test('the chain differs when rows keep their order and change their place in the session', () => {
  const rows = [[1, sha256('a')]] as const
  assert.notEqual(chain(rows), chain(rows, 11))
})
