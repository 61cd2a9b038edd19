import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { checkout } from './arguments.ts'
import type { Agent } from './session/agent.ts'
import type { Screen } from './terminal/screen.ts'
import { drawTimeline, timelineOf } from './terminal/timeline.ts'
import { drawTranscript } from './terminal/transcript.ts'

/** The second is about this checkout, or what any folder may know. */
export function tourQuestions(dir: string): readonly string[] {
  const second = dir === checkout ? 'When does a run accept no more events?' : 'What does it say about errors?'
  return ['What is this folder about?', second]
}

/** What the ledger says of a session: its transcript, and when its invocations and tool calls began and ended. */
export async function showRecord({ manager, storage }: Agent, sessionId: string, screen: Screen): Promise<void> {
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
