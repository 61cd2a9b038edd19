/** One of many processes that answer the same requests at the same moment; see `campaign/answer-at-once.ts`. */
import { flushCompileCache } from 'node:module'
import { DaybookError } from '@daybook/core'
import { answerEvent, idsOf, openedEvent, openRun, type RunIds, terminalEvent } from '../src/conformance/samples.ts'
import { openSqlite } from '../src/sqlite/open-sqlite.ts'

export interface Order {
  /** An invocation that runs, and one that ended as waiting; both asked all of these. */
  readonly running: RunIds
  readonly waiting: RunIds
  readonly requestIds: readonly string[]
}

/** Of each answer `taken`, or the code of its refusal. */
export interface Outcomes {
  readonly running: readonly string[]
  /** Of the one call that brings the answers to the invocation that waits. */
  readonly waiting: string
}

const storage = openSqlite(process.argv[2]!, { busyTimeoutMs: 60_000 })
const me = `${process.pid}`

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'taken',
    (error: unknown) => (DaybookError.is(error) ? error.code : String(error)),
  )

async function answer({ running, waiting, requestIds }: Order): Promise<Outcomes> {
  const { invocationId } = running
  const answers = requestIds.map((requestId) => answerEvent(running, requestId, { by: me }, `${requestId} by ${me}`))
  const next = idsOf(waiting.sessionId, `of ${me}`, waiting.turnId)
  const opening = openedEvent(next, 1, { kind: 'continuation', of: waiting.invocationId })
  const brought = requestIds.map((requestId) => answerEvent(next, requestId, { by: me }))
  return {
    running: await Promise.all(
      answers.map((event) => outcomeOf(storage.events.appendAnswers({ invocationId, events: [event] }))),
    ),
    waiting: await outcomeOf(openRun(storage, next, { events: [opening, ...brought, terminalEvent(next, 'waiting')] })),
  }
}

process.on('message', (order: Order) => {
  void answer(order).then((outcomes) => {
    storage.close()
    process.send!(outcomes)
  })
})
flushCompileCache()
process.send!('ready')
