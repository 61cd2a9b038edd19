import assert from 'node:assert/strict'
import type { SessionEvent } from '@daybook/core/events'

/**
 * Fails unless the events are a whole turn: one terminal, which is last; unique ids; nothing left open before it. `approved`
 * are calls that are open from the beginning.
 */
export function assertWholeTurn(events: readonly SessionEvent[], approved: readonly string[] = []): void {
  const last = events.at(-1)
  const isTerminal = ({ type }: SessionEvent): boolean => type === 'complete' || type === 'abort'
  assert.equal(events.filter(isTerminal).length, 1, 'there is one terminal')
  assert.ok(last !== undefined && isTerminal(last), 'the terminal is last')
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'ids are unique')

  const streamed = new Map<string, string>()
  const completed = new Set<string>()
  const open = new Set(approved)
  const called = new Set(approved)
  for (const event of events) {
    switch (event.type) {
      case 'text_delta':
      case 'thinking_delta':
        assert.notEqual(event.text, '')
        assert.ok(!completed.has(event.messageId), 'nothing is added to what is complete')
        streamed.set(event.messageId, (streamed.get(event.messageId) ?? '') + event.text)
        break
      case 'text_complete':
      case 'thinking_complete':
        assert.equal(event.text, streamed.get(event.messageId) ?? '', 'the whole is its pieces')
        assert.ok(!completed.has(event.messageId), 'a message is completed once')
        completed.add(event.messageId)
        break
      case 'tool_start':
        assert.ok(!called.has(event.toolCallId), 'call ids are unique')
        called.add(event.toolCallId)
        open.add(event.toolCallId)
        break
      case 'tool_result_preview':
      case 'tool_result':
        assert.ok(open.has(event.toolCallId), 'only an open call has a result')
        if (event.type === 'tool_result') open.delete(event.toolCallId)
        break
      default:
    }
  }
  for (const messageId of streamed.keys()) assert.ok(completed.has(messageId), `${messageId} is complete`)
  if (last.type !== 'complete' || last.stopReason !== 'waiting') assert.deepEqual([...open], [], 'no call is open')
  const failed = events.some(({ type }) => type === 'error')
  assert.equal(last.type === 'complete' && last.stopReason === 'error', failed && last.type === 'complete')
}
