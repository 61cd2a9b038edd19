import { InvalidInputError } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { Handoff } from './handoff.ts'

/**
 * Is told each session event of an invocation once its fact is committed, one at a time: the backend is asked for more
 * when it resolves. When it throws it is told no more, and `warn` is told why; the turn goes on.
 */
export type Watch = (event: SessionEvent) => void | Promise<void>

/** Throws `InvalidInputError` for what is no function. */
export function checkWatch(watch: Watch | undefined): Watch | undefined {
  if (watch === undefined || typeof watch === 'function') return watch
  throw new InvalidInputError('watch', 'must be a function that takes a session event')
}

/** Tells them all. Never rejects: what the store threw is in the outcome of the turn. */
export async function watchEvents(
  events: Handoff<SessionEvent>,
  watch: Watch,
  warn: (message: string, cause?: unknown) => void,
): Promise<void> {
  for (;;) {
    const next = await events.next().catch(() => undefined)
    if (next === undefined || next.done === true) return
    try {
      await watch(next.value)
    } catch (error) {
      events.leave()
      return warn('who watched a turn failed, and is told no more of it', error)
    }
  }
}
