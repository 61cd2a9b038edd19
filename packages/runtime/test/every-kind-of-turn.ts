import assert from 'node:assert/strict'
import type { SessionManager } from '@daybook/runtime/session-manager'
import { aborted, eventsOf, type Script } from './scripted-backend.ts'
import { takeAll } from './take.ts'

/** Answers as the message says. */
export const answerAsTold: Script = async function* ({ turnId, text, abortSignal }) {
  const say = eventsOf(turnId)
  yield say.delta('let me')
  yield say.text('let me look')
  yield say.call('c1')
  if (text === 'throw') throw new Error('socket closed')
  if (text === 'garbage') yield { type: 'tool_result' }
  if (text === 'wait') await aborted(abortSignal)
  yield say.result('c1')
  if (text === 'fail') yield say.error('no more tokens')
  yield say.delta('found', 'last')
  if (text !== 'end early') yield say.complete()
}

type Play = (manager: SessionManager, sessionId: string) => Promise<unknown>

const read =
  (text: string): Play =>
  (manager, sessionId) =>
    takeAll(manager.sendMessage(sessionId, { text }))

const plays: readonly Play[] = [
  ...['complete', 'throw', 'garbage', 'fail', 'end early'].map(read),
  async (manager, sessionId) => (await manager.startTurn(sessionId, { text: 'complete' })).finished,
  async (manager, sessionId) => {
    for await (const _event of manager.sendMessage(sessionId, { text: 'complete' })) break
  },
  async (manager, sessionId) => {
    for await (const _event of manager.sendMessage(sessionId, { text: 'wait', onLeave: 'detach' })) break
    assert.equal((await manager.stopSession(sessionId))?.state, 'aborted')
  },
  async (manager, sessionId) => {
    const { turnId } = await manager.startTurn(sessionId, { text: 'wait' })
    await assert.rejects(manager.startTurn(sessionId, { text: 'complete' }), { code: 'SESSION_BUSY' })
    await assert.rejects(manager.startTurn(sessionId, { turnId, text: 'wait' }), { code: 'TURN_EXISTS' })
    assert.equal((await manager.stopSession(sessionId))?.state, 'aborted')
  },
]

/** So many turns one after the other, in each session in its turn, begun, consumed, stopped and ended in every way. */
export async function playTurns(manager: SessionManager, sessionIds: readonly string[], count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    const round = Math.floor(turn / sessionIds.length)
    await plays[(turn + round) % plays.length]!(manager, sessionIds[turn % sessionIds.length]!)
  }
}
