import { cleanLine } from '@daybook/cli'
import type { SessionEvent } from '@daybook/core/events'
import { describeCall, describeResult } from './describe-call.ts'
import type { Screen } from './screen.ts'
import { shorten } from './width.ts'

/** Shows a turn while it happens: returns what to call with each of its events. */
export function showLiveTurn(screen: Screen): (event: SessionEvent) => void {
  const tools = new Map<string, string>()
  let atLineStart = true
  const wholeLine = (text: string, style: 'dim' | 'red'): void => {
    if (!atLineStart) screen.line()
    screen.line(cleanLine(text), style)
    atLineStart = true
  }
  const line = (text: string): void => wholeLine(shorten(cleanLine(text), screen.columns), 'dim')
  return (event) => {
    switch (event.type) {
      case 'text_delta':
        screen.write(event.text)
        atLineStart = event.text.endsWith('\n')
        break
      case 'text_complete':
        if (!atLineStart) screen.line()
        atLineStart = true
        break
      case 'tool_start':
        tools.set(event.toolCallId, event.toolName)
        line(`→ ${describeCall(event.toolName, event.args)}`)
        break
      case 'tool_result': {
        const name = event.toolName ?? tools.get(event.toolCallId) ?? 'tool'
        line(`← ${name}: ${describeResult(name, event.outcome ?? 'ok', event.result)}`)
        break
      }
      case 'provider_retry':
        line(event.message)
        break
      case 'error':
        wholeLine(`${event.code ?? 'ERROR'}: ${event.message}`, 'red')
        break
      case 'abort':
        line('stopped')
        break
      default:
    }
  }
}
