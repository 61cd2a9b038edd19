import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ledgerOf, opened, openingContent, said } from '../../test/ledger-of.ts'
import type { OpenRunRequest, RunRecord } from '../ports/agent-run-store.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
import { checkRunOpening, prepareRunOpening, type RunState } from './plan-run.ts'

const request: OpenRunRequest = {
  runId: 'run-i',
  invocationId: 'i',
  sessionId: 'session',
  turnId: 'turn-i',
  exclusive: true,
  inputDigest: '0'.repeat(64),
  owner: { bootId: 'boot', pidNamespace: null, pid: 1, processStartedAt: '7' },
  events: ledgerOf([opened('i'), said('i', 'hello')]).map(({ event }) => event) as [RuntimeEvent, ...RuntimeEvent[]],
}

const withOpening = (changes: object): OpenRunRequest => ({
  ...request,
  events: [{ ...request.events[0], content: { ...openingContent({ kind: 'fresh' }), ...changes } }],
})

describe('prepareRunOpening', () => {
  test('takes the source, the parent and the opened time from the opening', () => {
    const { run, events } = prepareRunOpening(request)
    const { events: _events, ...fields } = request
    const opens = { source: { kind: 'fresh' }, parentInvocationId: null, openedAt: 1000, epoch: 1 }
    assert.deepEqual(run, {
      ...fields,
      ...opens,
      finishedAt: null,
      state: 'running',
      leaseExpiresAt: null,
      stopRequest: null,
    })
    assert.equal(events.length, 2)
    const source = { kind: 'continuation', of: 'h' }
    const branched = prepareRunOpening(withOpening({ source, lineage: { parentInvocationId: 'p' } })).run
    assert.deepEqual([branched.source, branched.parentInvocationId], [source, 'p'])
  })

  test('keeps the owner as it was when the call was made', () => {
    const owner = { ...request.owner }
    const { run } = prepareRunOpening({ ...request, owner })
    owner.pid = 2
    assert.equal(run.owner.pid, 1)
  })

  test('refuses what no ledger takes, and names it', () => {
    const refused: [object, Partial<Record<keyof OpenRunRequest, unknown>>][] = [
      [{ code: 'INVALID_ID', field: 'runId' }, { runId: '' }],
      [{ code: 'INVALID_ID', field: 'turnId' }, { turnId: 'x'.repeat(201) }],
      [{ code: 'INVALID_INPUT', field: 'exclusive' }, { exclusive: 1 }],
      [{ code: 'INVALID_INPUT', field: 'inputDigest' }, { inputDigest: 'F'.repeat(64) }],
      [{ code: 'INVALID_INPUT', field: 'owner.pid' }, { owner: { ...request.owner, pid: 0 } }],
      [{ code: 'INVALID_ID', field: 'owner.bootId' }, { owner: { ...request.owner, bootId: '' } }],
      [{ code: 'INVALID_INPUT', field: 'events' }, { events: [] }],
      [{ code: 'INVALID_EVENT', path: '/content/kind' }, { events: request.events.slice(1) }],
      [{ code: 'INVALID_EVENT', path: '/invocationId' }, { invocationId: 'j' }],
    ]
    for (const [error, changes] of refused) {
      assert.throws(() => prepareRunOpening({ ...request, ...changes } as OpenRunRequest), error)
    }
  })
})

describe('checkRunOpening', () => {
  const { run } = prepareRunOpening(request)
  const taken: RunRecord = { ...run, runId: 'other', turnId: 'other turn' }
  const free: RunState = {
    sessionExists: () => true,
    findFreshRun: () => undefined,
    runExists: () => false,
    invocationExists: () => false,
    findActiveRun: () => undefined,
    findNewestRun: () => undefined,
  }

  test('lets a run open where nothing stands against it', () => {
    checkRunOpening(run, free)
  })

  test('lets the newest turn alone go on or be tried again', () => {
    const continuation: RunRecord = { ...run, source: { kind: 'continuation', of: 'waiting' } }
    const retry: RunRecord = { ...run, source: { kind: 'retry', supersedes: 'failed' } }
    const newest = (found: Partial<RunRecord>): RunState => ({
      ...free,
      findNewestRun: () => ({ ...taken, ...found }),
    })
    checkRunOpening(continuation, newest({ invocationId: 'waiting' }))
    checkRunOpening(retry, newest({ turnId: run.turnId }))
    checkRunOpening({ ...continuation, exclusive: false }, free)
    for (const [source, state] of [
      [continuation, newest({ invocationId: 'a later one' })],
      [retry, newest({ turnId: 'a later one' })],
      [continuation, free],
    ] as const) {
      assert.throws(() => checkRunOpening(source, state), { code: 'TURN_NOT_NEWEST', turnId: run.turnId })
    }
  })

  test('names the session first, then the turn, the ids and the run that is active', () => {
    const states: [string, Partial<RunState>][] = [
      ['SESSION_NOT_FOUND', { sessionExists: () => false }],
      ['TURN_EXISTS', { findFreshRun: () => taken }],
      ['RUN_EXISTS', { runExists: () => true }],
      ['RUN_EXISTS', { invocationExists: () => true }],
      ['SESSION_BUSY', { findActiveRun: () => taken }],
    ]
    for (const [index, [code]] of states.entries()) {
      const state = Object.assign({}, free, ...states.slice(index).map(([, changes]) => changes))
      assert.throws(() => checkRunOpening(run, state), { code })
    }
  })

  test('tells a repeated call from another one by its input', () => {
    for (const [inputDigest, sameInput] of [
      [run.inputDigest, true],
      ['1'.repeat(64), false],
    ] as const) {
      const state = { ...free, findFreshRun: () => ({ ...taken, inputDigest, state: 'failed' as const }) }
      assert.throws(() => checkRunOpening(run, state), {
        code: 'TURN_EXISTS',
        runId: 'other',
        state: 'failed',
        sameInput,
      })
    }
  })

  test('keeps no run out that is not exclusive, and no turn that is not fresh', () => {
    const state = { ...free, findFreshRun: () => taken, findActiveRun: () => taken }
    checkRunOpening({ ...run, exclusive: false, source: { kind: 'retry', supersedes: 'h' } }, state)
  })
})
