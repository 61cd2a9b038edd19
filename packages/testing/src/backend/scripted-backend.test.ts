import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SessionRecord } from '@daybook/core'
import type { AgentBackend, BackendSendInput } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'
import { gate } from './gate.ts'
import { type Script, type ScriptedBackend, scriptedBackend } from './scripted-backend.ts'

const text = { type: 'text_complete', messageId: 'm', text: 'hello' } as const
const complete = { type: 'complete', stopReason: 'end_turn' } as const

async function build(script: Script): Promise<ScriptedBackend & { readonly backend: AgentBackend }> {
  const scripted = scriptedBackend(script)
  const session = { id: 'session', backendKind: 'any' } as SessionRecord
  return { ...scripted, backend: await scripted.factory({ sessionId: 'session', session }) }
}

function inputOf(turnId: string): BackendSendInput {
  const ids = { turnId, invocationId: `invocation of ${turnId}`, runId: `run of ${turnId}` }
  return { ...ids, text: 'hi', history: [], abortSignal: new AbortController().signal }
}

async function take(events: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> {
  const taken: SessionEvent[] = []
  for await (const event of events) taken.push(event)
  return taken
}

describe('scriptedBackend', () => {
  test('yields the events of the script in each turn, stamped where the script does not', async () => {
    const { backend, inputs } = await build([text, { ...complete, id: 'last', ts: 7 }])
    for (const turnId of ['one', 'two']) {
      const events = await take(backend.send(inputOf(turnId)))
      assert.deepEqual(events, [
        { ...text, id: 'event-1', turnId, ts: 0 },
        { ...complete, id: 'last', turnId, ts: 7 },
      ])
    }
    assert.deepEqual(
      [backend.kind, backend.sessionId, inputs.map(({ text }) => text)],
      ['any', 'session', ['hi', 'hi']],
    )
  })

  test('asks a script that is a function at each turn, and pulls its steps one by one', async () => {
    const reached: string[] = []
    const { backend } = await build(function* ({ turnId }) {
      for (;;) {
        reached.push(turnId)
        yield text
      }
    })
    const events = backend.send(inputOf('one'))[Symbol.asyncIterator]()
    await events.next()
    await events.next()
    assert.deepEqual(reached, ['one', 'one'])
  })

  test('ends without a terminal event, throws, and yields what is no event', async () => {
    const { backend } = await build([{ yield: null }, { throw: new Error('no key') }])
    const events = backend.send(inputOf('one'))[Symbol.asyncIterator]()
    assert.deepEqual(await events.next(), { done: false, value: null })
    await assert.rejects(events.next(), /no key/)
    assert.deepEqual(await take((await build([])).backend.send(inputOf('one'))), [])
  })

  test('waits at a gate until it is opened', async () => {
    const tool = gate()
    const { backend } = await build([{ waitFor: tool }, complete])
    let isPast = false
    const events = backend.send(inputOf('one'))[Symbol.asyncIterator]()
    const next = events.next().finally(() => (isPast = true))
    await tool.reached
    assert.equal(isPast, false)
    tool.open()
    assert.equal((await next).value.type, 'complete')
  })

  test('waits for the stop of this turn, not of an earlier one', async () => {
    const { backend, calls } = await build([{ waitFor: 'stop' }, { type: 'abort' }])
    for (const turnId of ['one', 'two']) {
      const events = take(backend.send(inputOf(turnId)))
      assert.deepEqual(calls.at(-1), ['send', turnId])
      await backend.stop('user')
      assert.deepEqual(
        (await events).map(({ type }) => type),
        ['abort'],
      )
    }
  })

  test('never ends where the script waits for ever', async () => {
    const { backend } = await build([{ waitFor: 'ever' }])
    let hasEnded = false
    void take(backend.send(inputOf('one'))).finally(() => (hasEnded = true))
    await backend.stop('user')
    await new Promise(setImmediate)
    assert.equal(hasEnded, false)
  })

  test('records what is asked of it', async () => {
    const { backend, calls } = await build([])
    const boundary = { requestId: 'r', decision: 'denied' } as const
    const question = { requestId: 'q', answer: 42 }
    await backend.respondToSandboxBoundary(boundary)
    await backend.respondToUserQuestion?.(question)
    await backend.stop('user')
    await backend.dispose()
    assert.deepEqual(calls, [
      ['respondToSandboxBoundary', boundary],
      ['respondToUserQuestion', question],
      ['stop', 'user'],
      ['dispose'],
    ])
  })
})
