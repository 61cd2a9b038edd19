import {
  checkId,
  InvalidInputError,
  type Page,
  type SessionRecord,
  type SessionScope,
  transcriptFromEvents,
  type TranscriptTurn,
} from '@daybook/core'
import { isKnownContent, type StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { checkOptions } from '../check-arguments.ts'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { parentsOf } from './inherited-events.ts'

/** Before which position of which session a page of a transcript ends: a branch goes on in its parents. */
export interface TranscriptCursor {
  readonly sessionId: string
  readonly sessionSeq: number
}

export interface TranscriptQuery {
  /** Turns that people's messages opened, from 1 to 1000. Default 20. */
  readonly limit?: number
  /** `next` of the page before. */
  readonly before?: TranscriptCursor
}

const eventsPerPage = 200

/** The newest turns first. Reads the events of the turns that it shows, and a page of events more. */
export async function transcriptPage(
  sessionId: string,
  { limit = 20, before }: TranscriptQuery,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<Page<TranscriptTurn, TranscriptCursor>> {
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw new InvalidInputError('limit', 'must be an integer from 1 to 1000')
  }
  let session = await findSession(context.store, sessionId, scope)
  if (before !== undefined) session = await sessionAt(session, checkCursor(before), context)
  let end = before?.sessionSeq
  const segments: StoredRuntimeEvent[][] = []
  for (let missing = limit; ;) {
    const { events, found } = await readTurns(session.id, end, missing, context)
    segments.unshift(events)
    missing -= found
    const first = events[0]?.sessionSeq ?? 1
    if (missing === 0 && first > 1) return page({ sessionId: session.id, sessionSeq: first })
    const parent = await parentOf(session, scope, context)
    if (parent === undefined) return page(null)
    end = session.parentSessionSeq! + 1
    if (missing === 0)
      return page(end === 1 && parent.parentSessionId === null ? null : { sessionId: parent.id, sessionSeq: end })
    session = parent
  }

  function page(next: TranscriptCursor | null): Page<TranscriptTurn, TranscriptCursor> {
    // Only the newest turn of the session itself may be waited for.
    const own = before === undefined ? (segments.pop() ?? []) : []
    return { items: transcriptFromEvents(own, segments).toReversed(), next, floor: 1 }
  }
}

/** The events of the newest turns before a position, at most so many, oldest first. */
async function readTurns(
  sessionId: string,
  end: number | undefined,
  wanted: number,
  { runtimeEventStore }: RuntimeContext,
): Promise<{ readonly events: StoredRuntimeEvent[]; readonly found: number }> {
  const newestFirst: StoredRuntimeEvent[] = []
  let found = 0
  for (let before: number | null | undefined = end; before !== null;) {
    if (before !== undefined && before <= 1) break
    const query = { limit: eventsPerPage, ...(before !== undefined && { before }) }
    const page = await runtimeEventStore.readNewestSessionRuntimeEventsPage(sessionId, query)
    for (const stored of page.items) {
      newestFirst.push(stored)
      if (opensTurn(stored) && ++found === wanted) return { events: newestFirst.reverse(), found }
    }
    before = page.next
  }
  return { events: newestFirst.reverse(), found }
}

/** Whether a turn of the conversation begins here: what retries or goes on with it comes later. */
function opensTurn({ event: { content }, eventSeq }: StoredRuntimeEvent): boolean {
  if (eventSeq !== 1 || !isKnownContent(content) || content.kind !== 'invocation_opened') return false
  return content.source.kind === 'fresh' && content.lineage === undefined
}

/** Throws `InvalidInputError` for a position that the session does not show; one of a parent costs a read for each up to it. */
async function sessionAt(
  session: SessionRecord,
  before: TranscriptCursor,
  { store }: RuntimeContext,
): Promise<SessionRecord> {
  if (before.sessionId === session.id) return session
  for await (const { parent, upTo } of parentsOf(session, store)) {
    if (parent.id === before.sessionId && before.sessionSeq <= upTo + 1) return parent
  }
  throw new InvalidInputError('before', 'is no position that this session shows')
}

async function parentOf(
  { parentSessionId }: SessionRecord,
  scope: SessionScope,
  { store }: RuntimeContext,
): Promise<SessionRecord | undefined> {
  return parentSessionId === null ? undefined : findSession(store, parentSessionId, scope)
}

function checkCursor(before: TranscriptCursor): TranscriptCursor {
  checkOptions({ before })
  checkId('before.sessionId', before.sessionId)
  if (Number.isSafeInteger(before.sessionSeq) && before.sessionSeq >= 1) return before
  throw new InvalidInputError('before.sessionSeq', 'must be what a page returned')
}
