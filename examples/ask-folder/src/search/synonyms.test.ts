import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stem } from 'porter2'
import { synonymsOf } from './synonyms.ts'

describe('synonymsOf', () => {
  test('gives the others of a group, in any form', () => {
    assert.deepEqual(synonymsOf(stem('commenced')), ['begin', 'start', 'launch', 'boot'])
    assert.ok(synonymsOf(stem('begins')).includes(stem('starting')))
  })

  test('gives each once, of all groups that a word is in', () => {
    const others = synonymsOf(stem('call'))
    assert.ok(others.includes('phone') && others.includes('request'))
    assert.equal(new Set(others).size, others.length)
  })

  test('gives none for other words', () => {
    assert.deepEqual(synonymsOf(stem('harbour')), [])
    assert.deepEqual(synonymsOf(''), [])
  })
})
