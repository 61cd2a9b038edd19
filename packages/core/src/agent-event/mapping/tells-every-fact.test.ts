import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toldTurn } from '../../../test/told-turn.ts'
import { everySessionEvent } from '../../../test/session-event-samples.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { tellsEveryFact } from './tells-every-fact.ts'
import { untoldRun } from './told-run.ts'
import { trackAgentEvent } from './track.ts'

test('a log tells every fact as long as none of what the facts hold is missing', () => {
  const twice = [...everySessionEvent.slice(0, -2), ...everySessionEvent]
  const { facts, rows, state } = toldTurn(twice.map((event, index) => ({ ...event, id: `e${index}` })))
  const events = rows.map((row) => JSON.parse(row!) as AgentEvent)
  const isTold = (shown: readonly AgentEvent[]): boolean => {
    const told = untoldRun(state.header)
    for (const event of shown) trackAgentEvent(told, event)
    return tellsEveryFact(told, facts)
  }
  assert.ok(isTold(events))
  const needed = events
    .filter((_, place) => !isTold(events.toSpliced(place, 1)))
    .map(({ type, name }) => (typeof name === 'string' ? name : type))
  assert.deepEqual(
    new Set(needed.filter((type) => !type.endsWith('_START'))),
    new Set([
      'TEXT_MESSAGE_END',
      'REASONING_MESSAGE_END',
      'REASONING_ENCRYPTED_VALUE',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
      ...['custom', 'error', 'file', 'request_answered', 'source', 'token_usage'].map((name) => `daybook.${name}`),
    ]),
  )
})
