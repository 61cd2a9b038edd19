import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { agentRunEnd } from '../log/run-end.ts'
import { type AgentEventSpans, agentEventSpans } from '../log/spans.ts'

/** Checks that what a log begins is what it goes on with and ends: messages, reasoning, tool calls, steps, sub-agents. */
export class LogSpans {
  readonly #open = new Set<string>()

  /** What is wrong with the event where it stands. */
  add(event: AgentEvent): string | undefined {
    const spans = spansOf(event)
    if (spans === undefined) return 'names what it is of by what is no name'
    const { opens, closes, within, replaces } = spans
    const missing = within.find((span) => !this.#open.has(span))
    if (missing !== undefined) return `is of a ${missing}, which is not open`
    if (replaces?.some((span) => this.#open.has(span)) === false) return `replaces a ${replaces[0]}, which is not open`
    if (closes !== undefined) this.#open.delete(closes)
    if (opens === undefined) return undefined
    if (this.#open.has(opens)) return `begins a ${opens}, which is open`
    this.#open.add(opens)
    return undefined
  }

  get open(): readonly string[] {
    return [...this.#open]
  }
}

/** Whether the event only ends something: such events may stand between what is told last and the end of the run. */
export function isClosing(event: AgentEvent): boolean {
  return spansOf(event)?.closes !== undefined || agentRunEnd(event) !== undefined
}

/** Undefined where an id is nested so deeply that nobody can have written it. */
function spansOf(event: AgentEvent): AgentEventSpans | undefined {
  try {
    return agentEventSpans(event)
  } catch {
    return undefined
  }
}
