import type { SessionEvent } from '@daybook/core/events'

/** All that a consumer is told. */
export async function takeAll<T>(events: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = []
  for await (const event of events) taken.push(event)
  return taken
}

export async function typesOf(events: AsyncIterable<SessionEvent>): Promise<string[]> {
  return (await takeAll(events)).map((event) => event.type)
}
