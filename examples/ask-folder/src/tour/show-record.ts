import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { Ledger } from '../session/ledger.ts'
import type { Screen } from '../terminal/screen.ts'
import { drawTimeline, timelineOf } from '../terminal/timeline.ts'
import { drawTranscript } from '../terminal/transcript.ts'

/** What the ledger says of a session: its transcript, and when its invocations and tool calls began and ended. */
export async function showRecord({ manager, storage }: Ledger, sessionId: string, screen: Screen): Promise<void> {
  const events: readonly StoredRuntimeEvent[] = await storage.events.readSessionRuntimeEvents(sessionId)
  heading(screen, 'Transcript, rebuilt from the ledger')
  for (const line of drawTranscript(await manager.transcript(sessionId), screen.columns)) screen.line(line)
  heading(screen, 'Timeline of the invocations')
  for (const line of drawTimeline(timelineOf(events), screen.columns)) screen.line(line)
}

function heading(screen: Screen, text: string): void {
  screen.line()
  screen.line(text, 'bold')
}
