import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answered, asked, ended, type Fact, ledgerOf, said } from '../../test/ledger-of.ts'
import { checkAnswersOnly, checkRequests } from './check-requests.ts'
import { requestsFromSessionEvents } from './rebuild.ts'

const digest = () => '0'.repeat(64)
const before = requestsFromSessionEvents(
  'session',
  ledgerOf([
    asked('i', 'boundary', { expiresInMs: 100 }),
    asked('i', 'question', { kind: 'user_question' }),
    asked('i', 'closed'),
    answered('i', 'closed', { by: 'somebody' }),
    asked('i', 'acknowledged'),
    { invocationId: 'i', actions: { answerAck: { requestId: 'acknowledged' } } },
  ]),
  digest,
)
/** `boundary` was asked at 5000. */
const [inTime, tooLate] = [5_099, 5_100]

function check(facts: readonly Fact[], now: number = inTime): void {
  checkRequests(ledgerOf(facts), (id) => before.find(({ requestId }) => requestId === id), now)
}

describe('checkRequests', () => {
  test('lets ask under a new id, answer what is open, and say anything else', () => {
    check([said('i', 'hello'), asked('i', 'new'), asked('i', 'newer'), ended('i', 'waiting')])
    for (const outcome of ['approved', 'denied'] as const) check([answered('i', 'boundary', { outcome })])
    for (const outcome of ['answered', 'denied'] as const) check([answered('i', 'question', { outcome })])
    check([answered('i', 'boundary'), answered('i', 'question', { outcome: 'answered' })])
  })

  test('refuses an id that was used, before or in the same append', () => {
    const used = { code: 'INVALID_EVENT', path: '/actions/request/requestId' }
    assert.throws(() => check([asked('i', 'boundary')]), used)
    assert.throws(() => check([asked('i', 'closed')]), used)
    assert.throws(() => check([asked('i', 'new'), asked('i', 'new')]), used)
  })

  test('names what is wrong with an answer, the first of all', () => {
    const other = { requestDigest: '1'.repeat(64) }
    const closed = { code: 'REQUEST_CLOSED', state: 'approved' }
    const kind = { code: 'INVALID_EVENT', path: '/actions/answer/outcome' }
    for (const [fact, error] of [
      [answered('i', 'none', other), { code: 'REQUEST_NOT_FOUND', sessionId: 'session', requestId: 'none' }],
      [answered('i', 'closed', { by: 'another' }), { ...closed, sameAnswer: true }],
      [answered('i', 'closed', { ...other, by: 'somebody' }), { ...closed, sameAnswer: false }],
      [answered('i', 'closed', { outcome: 'denied' }), { ...closed, sameAnswer: false }],
      [answered('i', 'acknowledged'), { code: 'REQUEST_CLOSED', state: 'answered', sameAnswer: false }],
      [answered('i', 'boundary', { ...other, outcome: 'answered' }), { code: 'REQUEST_CHANGED', digest: digest() }],
      [answered('i', 'boundary', { outcome: 'answered' }), kind],
      [answered('i', 'question'), kind],
    ] as const) {
      assert.throws(() => check([fact]), error)
    }
  })

  test('takes a request as expired from its time on, and not before', () => {
    const expired = answered('i', 'boundary', { outcome: 'expired' })
    assert.throws(() => check([expired]), { code: 'INVALID_EVENT', path: '/actions/answer/outcome' })
    assert.throws(() => check([answered('i', 'boundary')], tooLate), { code: 'REQUEST_EXPIRED', expiredAt: tooLate })
    assert.throws(() => check([answered('i', 'boundary', { outcome: 'denied' })], tooLate), { code: 'REQUEST_EXPIRED' })
    check([expired], tooLate)
    assert.throws(() => check([answered('i', 'question', { outcome: 'expired' })], tooLate), { code: 'INVALID_EVENT' })
  })

  test('takes one answer to each request, and none in the append that asks', () => {
    const twice = [answered('i', 'boundary'), answered('i', 'boundary', { by: 'another' })]
    assert.throws(() => check(twice), { code: 'REQUEST_CLOSED', state: 'approved', sameAnswer: true })
    assert.throws(() => check([asked('i', 'new'), answered('i', 'new')]), { code: 'REQUEST_NOT_FOUND' })
  })
})

describe('checkAnswersOnly', () => {
  const only = (...facts: readonly Fact[]) => checkAnswersOnly(ledgerOf(facts))
  const answer = answered('i', 'r')

  test('takes answers', () => {
    only(answer, answered('i', 'other'))
  })

  test('refuses what does anything else', () => {
    for (const fact of [
      said('i', 'hello'),
      asked('i', 'r'),
      ended('i', 'completed'),
      { invocationId: 'i', actions: { answerAck: { requestId: 'r' } } },
      { ...answer, status: 'completed' },
      { ...answer, actions: { ...answer.actions, endInvocation: true } },
      { ...answer, actions: { ...answer.actions, ...asked('i', 's').actions } },
      { ...answer, actions: { ...answer.actions, answerAck: { requestId: 'r' } } },
      { ...answer, content: { kind: 'text', text: 'hello' } },
    ] as const) {
      assert.throws(() => only(answer, fact), { code: 'INVALID_EVENT', path: '/actions' })
    }
  })
})
