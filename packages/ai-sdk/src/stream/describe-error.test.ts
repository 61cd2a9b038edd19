import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { APICallError, RetryError } from 'ai'
import { describeError } from './describe-error.ts'

const refused = new APICallError({
  message: 'Incorrect API key',
  url: 'https://api.example/?key=SECRET',
  requestBodyValues: { authorization: 'SECRET' },
  responseHeaders: { cookie: 'SECRET' },
  responseBody: 'SECRET',
  statusCode: 401,
})

describe('describeError', () => {
  const cases: readonly [of: string, error: unknown, described: object][] = [
    ['an Error', new Error('lost'), { message: 'lost' }],
    ['an error of another name', new RangeError('too far'), { message: 'too far', code: 'RangeError' }],
    ['a refused request', refused, { message: 'Incorrect API key', code: 'http_401' }],
    [
      'what was tried again and refused again',
      new RetryError({ message: 'Failed after 2 attempts.', reason: 'maxRetriesExceeded', errors: [refused, refused] }),
      { message: 'Failed after 2 attempts.', code: 'http_401' },
    ],
    ['a text', 'lost', { message: 'lost' }],
    [
      'an object with a message',
      { type: 'overloaded', message: 'Overloaded', apiKey: 'SECRET' },
      { message: 'Overloaded' },
    ],
    [
      'a message that holds a key',
      new TypeError('fetch http://me:SECRET@host.example failed'),
      { message: 'fetch http://[hidden]@host.example failed', code: 'TypeError' },
    ],
    ['an object without one', { apiKey: 'SECRET' }, { message: 'it failed without a message' }],
    ['an empty message', new Error(' '), { message: 'it failed without a message' }],
    ['nothing', undefined, { message: 'it failed without a message' }],
    ['null', null, { message: 'it failed without a message' }],
    ['a number', 42, { message: 'it failed without a message' }],
  ]
  for (const [of, error, described] of cases) {
    it(`takes of ${of} no more than message and code`, () => assert.deepEqual(describeError(error), described))
  }
})
