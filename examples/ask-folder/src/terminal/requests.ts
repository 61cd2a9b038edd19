import type { RequestRecord } from '@daybook/core'
import { defaultLedger } from '../checkout.ts'
import type { Screen } from './screen.ts'
import { shortId } from './short-id.ts'

/** Shows what is asked, whole, as an answer is to exactly that, and what to type to answer it. */
export function showRequests(requests: readonly RequestRecord[], ledger: string, screen: Screen): void {
  for (const request of requests) {
    // Several requests of one step differ in their last letter alone.
    const isAlone = requests.every((one) => one === request || shortId(one.requestId) !== shortId(request.requestId))
    const name = isAlone ? shortId(request.requestId) : request.requestId
    const place = ledger === defaultLedger ? '' : ` --ledger ${JSON.stringify(ledger)}`
    screen.line()
    for (const line of drawRequest(request)) screen.line(line)
    screen.line()
    screen.line(`npm start -- --approve ${name}${place}`, 'bold')
    screen.line(`npm start -- --deny ${name} --reason "why not"${place}`, 'bold')
  }
}

/** All of what is asked, what takes many lines last. */
export function drawRequest({ payload }: Pick<RequestRecord, 'payload'>): string[] {
  const { toolName, args } = Object(payload) as { readonly toolName?: unknown; readonly args?: unknown }
  const given = Object.entries(typeof args === 'object' && args !== null ? args : { input: args })
  const texts = given.map(([name, value]) => ({
    name,
    lines: (typeof value === 'string' ? value : String(JSON.stringify(value))).trimEnd().split('\n'),
  }))
  return [
    `May it run ${String(toolName)}?`,
    ...texts
      .sort((a, b) => a.lines.length - b.lines.length)
      .flatMap(({ name, lines }) => lines.map((line, at) => `  ${(at === 0 ? name : '').padEnd(8)} ${line}`.trimEnd())),
  ]
}
