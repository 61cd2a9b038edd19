import { isDeepStrictEqual } from 'node:util'
import { agentRunEnd, type AgentEvent, knowsAgUi1 } from '@daybook/core'

/**
 * What AG-UI's own clients would refuse of one run's events, and what comes after its end; empty where all is well. A log
 * is checked by client 1.0.0, and one whose client declared no `protocolVersion` of at least 1.0 by client 0.0.59 too.
 * A run that has not ended yet is no problem. The clients are loaded at the first call, in about half a second.
 */
export async function agentEventProblems(
  events: readonly AgentEvent[],
  protocolVersion?: string,
): Promise<readonly string[]> {
  const problems = eventsAfterEnd(events)
  for (const check of knowsAgUi1(protocolVersion) ? [byClient1] : [byClient1, byClient0])
    problems.push(...(await check(events)))
  return problems
}

function eventsAfterEnd(events: readonly AgentEvent[]): string[] {
  const end = events.findIndex((event) => agentRunEnd(event) !== undefined)
  return end === -1 ? [] : events.slice(end + 1).map(({ type }, index) => at(end + 1 + index, type, 'follows the end'))
}

async function byClient1(events: readonly AgentEvent[]): Promise<string[]> {
  const [{ enforceEvents, verifyEvents }, { EventSchema }, { from }] = await Promise.all([
    import('@ag-ui/client'),
    import('@ag-ui/core/schemas'),
    import('rxjs'),
  ])
  const problems = refusals(events, '1.0.0', (event) => EventSchema.safeParse(event))
  const enforced = collect(from(events as never[]).pipe(enforceEvents()))
  const changed = enforced.values.findIndex((event, index) => !isDeepStrictEqual(event, events[index]))
  if (changed !== -1) problems.push(at(changed, events[changed]?.type, 'is not what client 1.0.0 makes of it'))
  else if (enforced.error === undefined && enforced.values.length < events.length) {
    problems.push('client 1.0.0 leaves out the last events')
  }
  const error = enforced.error ?? collect(from(enforced.values as never[]).pipe(verifyEvents())).error
  return error === undefined ? problems : [...problems, `client 1.0.0: ${error}`]
}

async function byClient0(events: readonly AgentEvent[]): Promise<string[]> {
  const [{ EventSchemas, verifyEvents }, { from }] = await Promise.all([import('ag-ui-client-0.0.59'), import('rxjs')])
  const problems = refusals(events, '0.0.59', (event) => EventSchemas.safeParse(event))
  const { error } = collect(from(events as never[]).pipe(verifyEvents(false)))
  return error === undefined ? problems : [...problems, `client 0.0.59: ${error}`]
}

interface Parsed {
  readonly success: boolean
  readonly error?: { readonly message: string } | undefined
}

function refusals(events: readonly AgentEvent[], version: string, parse: (event: AgentEvent) => Parsed): string[] {
  return events.flatMap((event, index) => {
    const { error } = parse(event)
    return error === undefined ? [] : [at(index, event.type, `is no event of ${version}: ${error.message}`)]
  })
}

interface Source {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void }): unknown
}

/** What comes of events that all come at once. */
function collect(source: Source): { readonly values: readonly unknown[]; readonly error: string | undefined } {
  const values: unknown[] = []
  let refusal: string | undefined
  source.subscribe({
    next: (value) => values.push(value),
    error: (error) => {
      refusal = String(error)
    },
  })
  return { values, error: refusal }
}

function at(index: number, type: string | undefined, problem: string): string {
  return `event ${index + 1}, ${type}, ${problem}`
}
