import type { SessionEvent } from '@daybook/core/events'

/** All that a consumer is told. */
export async function takeAll(events: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> {
  const taken: SessionEvent[] = []
  for await (const event of events) taken.push(event)
  return taken
}

export async function typesOf(events: AsyncIterable<SessionEvent>): Promise<string[]> {
  return (await takeAll(events)).map((event) => event.type)
}
