import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stem } from 'porter2'
import { synonymsOf } from './synonyms.ts'

describe('synonymsOf', () => {
  test('gives the others of a group, in any form', () => {
    assert.deepEqual(synonymsOf(stem('started')), [stem('begin'), stem('commence')])
    assert.deepEqual(synonymsOf(stem('begins')), [stem('start'), stem('commence')])
  })

  test('gives none for other words', () => {
    assert.deepEqual(synonymsOf(stem('harbour')), [])
    assert.deepEqual(synonymsOf(''), [])
  })
})
