import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { places, valuesOf, verified } from '../testing/places.ts'
import { answeringProvider } from '../testing/provider.ts'
import { finished, printed, runHere, startMain } from '../testing/run-main.ts'

const factsOfThird = `SELECT event_kind || coalesce(' ' || json_extract(payload_json, '$.content.outcome'), '') FROM runtime_events
  WHERE invocation_id = (SELECT invocation_id FROM runtime_events WHERE event_kind = 'invocation_opened' ORDER BY session_seq LIMIT 1 OFFSET 2)
  ORDER BY event_seq`
const states = 'SELECT state FROM agent_runs ORDER BY opened_at'

describe('npm start without a question', () => {
  test('takes a tour that ends with a verified ledger, though a process is killed in it', async () => {
    const { args, ledger } = places()
    const { code, out, err } = await runHere(args)
    assert.deepEqual([code, err], [0, ''])
    const parts = [
      /→ list/,
      /→ search/,
      /killed process \d+ with SIGKILL/,
      /kept +3 +→ search/,
      /closed +5 +← search: unknown\n/,
    ]
    for (const part of [...parts, /closed +6 +failed \(app_restarted\)/, /Transcript/, /Timeline/, /━/, /offline/])
      assert.match(out, part)
    assert.ok(out.includes(verified) && out.includes(join(ledger, 'daybook.sqlite')))
    assert.deepEqual(valuesOf(ledger, states), ['completed', 'completed', 'failed', 'completed'])
    const open = ['invocation_opened', 'text', 'function_call']
    assert.deepEqual(valuesOf(ledger, factsOfThird), [...open, 'error', 'function_response unknown', 'error'])
  })

  test('kills a turn of the offline program where a model is configured', async () => {
    const { args, ledger } = places()
    const { code, out } = await runHere(args, await answeringProvider('Berths, as I said.'))
    assert.equal(code, 0)
    assert.match(out, /asked in process \d+: the offline program/)
    assert.match(out, /closed +6 +failed/)
    assert.equal(out.split('\n').filter((line) => line === 'Berths, as I said.').length, 3)
    assert.ok(out.includes(verified))
    assert.deepEqual(valuesOf(ledger, states), ['completed', 'completed', 'failed', 'completed'])
  })

  test('ends with the process that it began, when it is stopped', async () => {
    const { args } = places()
    const asked = /asked in process (\d+)/
    const { code, out } = await runHere(args, {}, (printedYet, stop) => asked.test(printedYet) && stop())
    assert.equal(code, 130)
    assert.throws(() => process.kill(Number(asked.exec(out)?.[1]), 0), { code: 'ESRCH' })
  })

  test('leaves no process behind when it is killed itself', async () => {
    const tour = startMain(places().args)
    const ended = finished(tour)
    await printed(tour, 'asked in process')
    tour.kill('SIGKILL')
    // The other process holds the same output: it has ended too.
    assert.equal((await ended).code, null)
  })
})
