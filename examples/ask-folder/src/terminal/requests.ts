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

/** All of what is asked, what is longest last. */
export function drawRequest({ payload }: Pick<RequestRecord, 'payload'>): string[] {
  const { toolName, args } = Object(payload) as { readonly toolName?: unknown; readonly args?: unknown }
  const given = Object.entries(typeof args === 'object' && args !== null ? args : { input: args })
  const texts = given.map(([name, value]) => ({
    name,
    text: (typeof value === 'string' ? value : String(JSON.stringify(value))).trimEnd(),
  }))
  const lines = texts
    .sort((a, b) => a.text.length - b.text.length)
    .flatMap(({ name, text }) => text.split('\n').map((line, at) => `${(at === 0 ? name : '').padEnd(8)} ${line}`))
  return [`May it run ${String(toolName)}?`, ...lines.map((line) => `  ${line}`.trimEnd())]
}
