import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judge, placeOf } from '../evaluation/judge.ts'

const answer = 'I quote.\n\n> a/b c.md:7: text\n  a/b c.md:8: x.md:3: more'

describe('judge', () => {
  test('counts a quote of any line that answers', () => {
    for (const place of ['a/b c.md:7', 'a/b c.md:8', 'a/b c.md:5-7', 'a/b c.md:8-9'])
      assert.equal(judge({ question: '', answers: ['other:1', place] }, answer), 'quoted', place)
  })

  test('counts no other line, no other file and no line in the text of a quote', () => {
    for (const place of ['a/b c.md:6', 'a/b c.md:9-12', 'b c.md:7', 'x.md:3'])
      assert.equal(judge({ question: '', answers: [place] }, answer), 'missed', place)
  })

  test('tells a refusal that is right from one that is wrong', () => {
    const refusal = `I found no answer to that.\n\n${answer}`
    assert.equal(judge({ question: '', answers: null }, refusal), 'refused')
    assert.equal(judge({ question: '', answers: null }, answer), 'invented')
    assert.equal(judge({ question: '', answers: ['a/b c.md:7'] }, refusal), 'nearest')
    assert.equal(judge({ question: '', answers: ['a/b c.md:9'] }, refusal), 'denied')
  })
})

describe('placeOf', () => {
  test('refuses what names no line', () => {
    for (const text of ['a.md', 'a.md:', ':3', 'a.md:x', 'a.md:1-'])
      assert.throws(() => placeOf(text), /is not file:line/)
  })
})
