import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { places, valuesOf, verified } from '../testing/places.ts'
import { callingProvider } from '../testing/provider.ts'
import { finished, runHere, startMain } from '../testing/run-main.ts'

const order = 'How many metres may a boat have? Note it in boats.md'
const states = 'SELECT state FROM agent_runs ORDER BY opened_at'
const requestStates = 'SELECT state FROM requests ORDER BY requested_at'

describe('a tool that writes', () => {
  test('asks, and is approved in another process after the one that asked is gone', async () => {
    const { args, ledger, dir } = places()
    const asked = await finished(startMain([...args, order]))
    assert.equal(asked.code, 0, asked.err)
    const [, request = ''] = /^npm start -- --approve (\w{8}) --ledger /m.exec(asked.out) ?? []
    assert.match(
      asked.out,
      /May it run note\?\n {2}path {5}boats\.md\n {2}content {2}How many metres may a boat have\?/,
    )
    assert.match(asked.out, /The turn waits in the ledger/)
    assert.ok(asked.out.includes(verified))
    assert.equal(existsSync(join(dir, 'boats.md')), false)

    const approved = await runHere(['--ledger', ledger, '--approve', request], { USER: 'ann' })
    assert.equal(approved.code, 0, approved.err)
    const written = 'How many metres may a boat have?\n\n> berths.ts:1: export const maxBoatMetres = 24\n'
    assert.equal(readFileSync(join(dir, 'boats.md'), 'utf8'), written)
    const parts = [
      /May it run note\?/,
      /← note: 3 lines written to boats\.md\nI wrote boats\.md\.\n/,
      new RegExp(`What changed in the ledger\n  added \\w{8} {3}1 {2}opened, goes on from ${request}\n`),
      new RegExp(`added \\w{8} {3}2 {2}${request} is approved by ann\n`),
      /added \w{8} {3}3 {2}← note: 3 lines written/,
      /added \w{8} {3}5 {2}completed\n/,
    ]
    for (const part of parts) assert.match(approved.out, part)
    assert.ok(approved.out.includes(verified))
    assert.deepEqual(valuesOf(ledger, states), ['waiting', 'completed'])

    const again = await runHere(['--ledger', ledger, '--approve'])
    assert.deepEqual([again.code, again.out], [0, `nothing waits for an answer on the ledger in ${ledger}\n`])
    assert.equal((await runHere(['--ledger', ledger, '--approve', request])).code, 1)
  })

  test('does not run when it is denied, and the model is told why', async () => {
    const { args, ledger, dir } = places()
    await runHere([...args, order])
    const { code, out } = await runHere(['--ledger', ledger, '--deny', '--reason', 'not now'])
    assert.equal(code, 0)
    assert.match(out, /> denied: not now\n← note: denied: not now\nI did not write boats\.md\. .*refused.* not now\n/)
    assert.match(out, /is denied( by .*)?: not now\n/)
    assert.equal(existsSync(join(dir, 'boats.md')), false)
  })

  test('writes nothing outside of the folder, approved or not', async () => {
    const { args, ledger, dir } = places()
    await runHere([...args, 'How many metres may a boat have? Note it in ../boats.md'])
    const { code, out } = await runHere(['--ledger', ledger, '--approve'])
    assert.equal(code, 0)
    assert.match(out, /← note: error: .* is outside of the folder\nI did not write \.\.\/boats\.md\./)
    assert.equal(existsSync(join(dir, '../boats.md')), false)
  })

  test('is asked for by a model, too, and goes on with that model alone', async () => {
    const { args, ledger, dir } = places()
    const env = await callingProvider('note', [{ path: 'a.md', content: 'from the model' }], 'It is written.')
    assert.equal((await runHere([...args, 'Write it down'], env)).code, 0)
    const without = await runHere(['--ledger', ledger, '--approve'])
    assert.equal(without.code, 2)
    assert.match(without.err, /^INVALID_INPUT: OPENAI_API_KEY must be set to go on with gpt-5-mini\n$/)
    assert.deepEqual(valuesOf(ledger, requestStates), ['open'])
    const { code, out } = await runHere(['--ledger', ledger, '--approve'], env)
    assert.equal(code, 0)
    assert.match(out, /It is written\./)
    assert.equal(readFileSync(join(dir, 'a.md'), 'utf8'), 'from the model')
  })
})

describe('an answer', () => {
  test('to one of several calls in a step is kept until the last has one', async () => {
    const { args, ledger, dir } = places()
    const notes = ['a.md', 'b.md'].map((path) => ({ path, content: `for ${path}` }))
    const env = await callingProvider('note', notes, 'Done with both.')
    const { out: asked } = await runHere([...args, 'Write them'], env)
    const ids = [...asked.matchAll(/--approve (\S+)/g)].map(([, id]) => id!)
    assert.equal(ids.length, 2)
    const one = await runHere(['--ledger', ledger, '--approve', ids[1]!], env)
    assert.equal(one.code, 0)
    assert.doesNotMatch(one.out, /Done with both/)
    assert.deepEqual(
      [...one.out.matchAll(/May it run note\?\n {2}path {5}(.*)/g)].map(([, path]) => path),
      ['b.md', 'a.md'],
    )
    const other = await runHere(['--ledger', ledger, '--deny'], env)
    assert.match(other.out, /\nDone with both\.\n/)
    assert.deepEqual([existsSync(join(dir, 'a.md')), readFileSync(join(dir, 'b.md'), 'utf8')], [false, 'for b.md'])
  })

  test('names a request where several wait, each of which is shown', async () => {
    const { args, ledger, dir } = places()
    await runHere([...args, order])
    await runHere([...args, '--new', order.replace('boats.md', 'other.md')])
    const several = await runHere(['--ledger', ledger, '--approve'])
    assert.equal(several.code, 1)
    assert.match(several.out, /^Several requests wait: name one\.\n/)
    const [first = '', second = ''] = [...several.out.matchAll(/--approve (\w+)/g)].map(([, id]) => id)
    const unknown = await runHere(['--ledger', ledger, '--approve', 'zz'])
    assert.equal(unknown.code, 1)
    assert.ok(unknown.out.includes('begins with zz') && unknown.out.includes(first) && unknown.out.includes(second))
    assert.equal((await runHere(['--ledger', ledger, '--approve', second])).code, 0)
    assert.deepEqual([existsSync(join(dir, 'boats.md')), existsSync(join(dir, 'other.md'))], [false, true])
    assert.deepEqual(valuesOf(ledger, requestStates), ['open', 'approved'])
  })

  test('comes too late once the conversation went on', async () => {
    const { args, ledger } = places()
    await runHere([...args, order])
    await runHere([...args, 'What are berths?'])
    const { code, out } = await runHere(['--ledger', ledger, '--approve'])
    assert.deepEqual([code, out], [0, `nothing waits for an answer on the ledger in ${ledger}\n`])
  })

  test('begins no ledger', async () => {
    const { ledger } = places()
    assert.equal((await runHere(['--ledger', ledger, '--approve'])).code, 0)
    assert.equal(existsSync(ledger), false)
  })
})
