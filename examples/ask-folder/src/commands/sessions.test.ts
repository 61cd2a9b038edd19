import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { places, valuesOf, verified } from '../testing/places.ts'
import { runHere } from '../testing/run-main.ts'

const counts = 'SELECT count(*) FROM runtime_events'

describe('npm start -- --regenerate', () => {
  test('tries the newest turn again, and shows that attempt alone', async () => {
    const { args } = places()
    await runHere([...args, 'What is this folder about?'])
    await runHere([...args, 'What are berths?'])
    const { code, out } = await runHere([...args, '--regenerate'])
    assert.equal(code, 0)
    assert.match(out, /What changed in the ledger\n {2}added \w{8} {3}1 {2}opened, in place of \w{8}\n/)
    const [, transcript = ''] = out.split('Attempt 2 at this turn, the one that the transcript shows\n')
    assert.deepEqual(transcript.match(/^(?:you|agent) /gm), ['you ', 'agent '])
    assert.ok(out.includes(verified))
  })

  test('closes what the attempt before had asked', async () => {
    const { args, ledger } = places()
    await runHere([...args, 'How many metres may a boat have? Note it in boats.md'])
    const { out } = await runHere([...args, '--regenerate'])
    const [, request = ''] = /--approve (\w+)/.exec(out) ?? []
    const { code, out: approved } = await runHere(['--ledger', ledger, '--approve'])
    assert.equal(code, 0)
    assert.ok(approved.includes(`goes on from ${request}`))
  })

  test('says that there is nothing to try again', async () => {
    const { args } = places()
    const { code, err } = await runHere([...args, '--regenerate'])
    assert.equal(code, 2)
    assert.match(err, /^nothing was asked about .* with offline-quotes yet\n/)
    await runHere([...args, 'What are berths?'])
    await runHere([...args, '--branch', '0'])
    assert.match((await runHere([...args, '--regenerate'])).err, /^this session has no turn of its own yet/)
  })
})

describe('npm start -- --branch', () => {
  test('has the next question asked after an earlier turn, and copies nothing', async () => {
    const { args, ledger } = places()
    await runHere([...args, 'What is this folder about?'])
    await runHere([...args, 'What are berths?'])
    const before = valuesOf(ledger, counts)
    const { code, out } = await runHere([...args, '--branch', '1'])
    assert.equal(code, 0)
    assert.match(out, /added session \w{8}, a branch of \w{8}, of which it shows the first \d+ facts, by reference\n/)
    assert.deepEqual(out.match(/^you .*$/gm), ['you    What is this folder about?'])
    assert.deepEqual(valuesOf(ledger, counts), before)

    await runHere([...args, 'What are boats?'])
    const again = await runHere([...args, '--branch'])
    assert.deepEqual(again.out.match(/^you .*$/gm), ['you    What is this folder about?', 'you    What are boats?'])
    const first = await runHere([...args, '--branch', '0'])
    assert.equal(first.out.match(/^you .*$/gm), null)
    assert.ok(first.out.includes(verified))
  })

  test('refuses what is no turn of the session', async () => {
    const { args } = places()
    await runHere([...args, 'What are berths?'])
    for (const typed of ['2', 'last', '-1', '1.5', '']) {
      const { code, err } = await runHere([...args, '--branch', '--', typed])
      assert.equal(code, 2)
      assert.match(err, /^--branch takes the number of a turn, and this session has 1\n/)
    }
    await runHere([...args, '--branch', '0'])
    assert.match((await runHere([...args, '--branch'])).err, /^this session has no turn yet/)
  })
})

describe('npm start -- --sessions and --search', () => {
  const { args, ledger } = places()
  before(async () => {
    await runHere([...args, 'What are berths?'])
    await runHere([...args, '--branch'])
    await runHere([...args, 'Who books them? Note it in who.md'])
    await runHere([...args, '--new', 'What is this folder about?'])
  })

  test('lists sessions as a tree, with their turns, states and open requests', async () => {
    const { code, out } = await runHere(['--ledger', ledger, '--sessions'])
    assert.equal(code, 0)
    assert.deepEqual(
      out.split('\n').map((line) => line.replace(/\b[\da-f]{8}\b/, 'ID')),
      [
        'ID  1 turn · completed · What is this folder about?',
        'ID  1 turn · completed · What are berths?',
        '└ ID  1 turn · waiting · 1 open · after "What are berths?"',
        'Nothing changed in the ledger',
        '',
      ],
    )
  })

  test('finds what was said', async () => {
    const { code, out } = await runHere(['--ledger', ledger, '--search', 'who', 'books'])
    assert.equal(code, 0)
    assert.match(out, /^\w{8} {2}you {4}Who books them\? Note it in who\.md\nNothing changed in the ledger\n$/)
    assert.match((await runHere(['--ledger', ledger, '--search', 'walrus'])).out, /^nothing was said with these words/)
  })

  test('begins no ledger, and takes what it needs', async () => {
    const missing = places().ledger
    for (const typed of [['--sessions'], ['--search', 'x']])
      assert.equal((await runHere(['--ledger', missing, ...typed])).code, 0)
    assert.equal(existsSync(missing), false)
    assert.match((await runHere(['--sessions', 'x'])).err, /^--sessions takes no question\n/)
    assert.match((await runHere(['--search'])).err, /^--search needs words\n/)
  })
})
