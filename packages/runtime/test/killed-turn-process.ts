/**
 * A child of the crash harness: answers a message in each session, and lets each turn stand still at a point of its own.
 * Acknowledges which of its facts each turn was told, and is held at the point `everywhere` when all stand still.
 */
import { openSqlite } from '@daybook/storage'
import type { OpenedStorage } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { wordOf } from './ledger-facts.ts'
import { openManager } from './open-manager.ts'
import { turnInWrites } from './turn-in-writes.ts'

export interface KilledTurnsInput {
  readonly root: string
  /** By session id, where its turn stands still: `before` or `after` the last fact of a write, or `in the tool`. */
  readonly points: Readonly<Record<string, string>>
}

export interface Told {
  readonly sessionId: string
  readonly type: string
}

const { root, points } = childInput() as KilledTurnsInput
const standing = new Set<string>()

/** Never resolves when this is the point of the session. */
async function pass(sessionId: string, point: string): Promise<void> {
  if (points[sessionId] !== point) return
  standing.add(sessionId)
  if (standing.size === Object.keys(points).length) reachPoint('everywhere')
  await new Promise<never>(() => {})
}

/** The storage with writes that stand still. */
function withPoints(storage: OpenedStorage): OpenedStorage {
  function passing<Request extends { readonly events: readonly RuntimeEvent[] }, Result>(
    write: (request: Request) => Promise<Result>,
  ) {
    return async (request: Request): Promise<Result> => {
      const last = request.events.at(-1)!
      await pass(last.sessionId, `before ${wordOf(last)}`)
      const result = await write(request)
      await pass(last.sessionId, `after ${wordOf(last)}`)
      return result
    }
  }
  const { runs, events } = storage
  return {
    ...storage,
    runs: Object.assign(Object.create(runs), { openRun: passing(runs.openRun.bind(runs)) }),
    events: Object.assign(Object.create(events), { append: passing(events.append.bind(events)) }),
  }
}

const { manager } = await openManager(withPoints(openSqlite(root)), (input) =>
  turnInWrites(input, () => pass(sessionOf.get(input.turnId)!, 'in the tool')),
)
const sessionOf = new Map<string, string>()
await Promise.all(
  Object.keys(points).map(async (sessionId) => {
    sessionOf.set(`turn of ${sessionId}`, sessionId)
    for await (const { type } of manager.sendMessage(sessionId, { turnId: `turn of ${sessionId}`, text: 'hi' })) {
      if (type !== 'text_delta') acknowledge({ sessionId, type } satisfies Told)
    }
  }),
)
