import { cleanLine } from '@daybook/cli'
import type { TranscriptTurn } from '@daybook/core'
import { describeCall, describeResult } from './describe-call.ts'
import { shorten } from './width.ts'

/** The transcript of a session, each of its items on one line of at most `columns`. */
export function drawTranscript(turns: readonly TranscriptTurn[], columns: number): string[] {
  const line = (who: string, text: string): string => `${who.padEnd(6)} ${shorten(cleanLine(text).trim(), columns - 7)}`
  return turns.flatMap((turn) => [
    line('you', turn.userText),
    ...turn.items.flatMap((item) => {
      if (item.type === 'text') return [line('agent', item.text)]
      if (item.type === 'thinking') return [line('think', item.text)]
      if (item.type !== 'tool_call') return []
      const { toolName, args, outcome, result } = item
      return [
        line(
          'tool',
          `${describeCall(toolName, args)} → ${outcome === 'open' ? outcome : describeResult(toolName, outcome, result)}`,
        ),
      ]
    }),
    ...(turn.state === 'completed'
      ? []
      : [line('', `${turn.state}${turn.error === undefined ? '' : `: ${turn.error.message}`}`)]),
  ])
}
