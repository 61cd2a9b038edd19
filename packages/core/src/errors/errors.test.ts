import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DaybookError, errorCodes } from './index.ts'
import * as errors from './index.ts'

/** One error of each class: a constructor only puts its arguments into a text. */
const everyError = Object.values<unknown>(errors)
  .filter((value) => typeof value === 'function' && value !== DaybookError)
  .map((value) => Reflect.construct(value as new () => DaybookError, [{}, [], '']) as DaybookError)

describe('DaybookError', () => {
  test('has one class for each code', () => {
    const names = new Map(everyError.map(({ code, name }) => [code, name]))
    assert.equal(names.size, everyError.length)
    assert.deepEqual(new Set(names.keys()), new Set(Object.keys(errorCodes)))
  })

  test('names its class and the family of its code, and says something', () => {
    for (const error of everyError) {
      assert.equal(error.name, error.constructor.name)
      assert.equal(error.family, errorCodes[error.code])
      assert.ok(error.message.length > 10, error.name)
    }
  })

  test('knows its kind, also when another copy of the package threw it', async () => {
    const url = new URL('./daybook-error.ts?copy', import.meta.url).href
    const copy = (await import(url)) as { DaybookError: typeof DaybookError }
    const error = new copy.DaybookError('INVALID_ID', 'thrown elsewhere')
    assert.ok(!(error instanceof DaybookError))
    assert.ok(DaybookError.is(error))
    for (const other of [new Error('x'), { code: 'INVALID_ID' }, null, undefined, 'x'])
      assert.ok(!DaybookError.is(other))
  })
})
