import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { WriteStream } from 'node:tty'
import fc from 'fast-check'
import type { JsonValue, RequestRecord } from '@daybook/core'
import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { SessionEvent } from '@daybook/core/events'
import { describeCall, describeResult } from './describe-call.ts'
import { defaultLedger } from '../checkout.ts'
import { drawFact } from './facts.ts'
import { showLiveTurn } from './live-turn.ts'
import { showRequests } from './requests.ts'
import { type Screen, terminalScreen } from './screen.ts'
import { drawTimeline, timelineOf } from './timeline.ts'
import { drawTranscript } from './transcript.ts'
import { drawTree } from './tree.ts'
import { fit, shorten, widthOf } from './width.ts'

function recorded(columns = 60): Screen & { readonly text: () => string } {
  let text = ''
  return {
    columns,
    write: (piece) => void (text += piece),
    line: (line = '') => void (text += `${line}\n`),
    text: () => text,
  }
}

const opening = {
  kind: 'invocation_opened',
  protocol: 'invocation_opened_v1',
  route: { backendKind: 'x' },
  configuration: { permissionMode: 'ask', revision: 1 },
  root: { kind: 'user' },
  source: { kind: 'fresh' },
}

describe('width', () => {
  test('counts what a terminal shows', () => {
    const widths = { abc: 3, é: 1, 'e\u0301': 1, 東京: 4, '🙂': 2, '👩‍💻': 2, '': 0, '…': 1 }
    for (const [text, width] of Object.entries(widths)) assert.equal(widthOf(text), width, text)
  })

  test('fits any text into any width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => {
        assert.ok(widthOf(shorten(text, width)) <= width)
        assert.equal(widthOf(fit(text, width)), width)
        if (widthOf(text) <= width) assert.equal(shorten(text, width), text)
      }),
    )
  })
})

describe('the screen', () => {
  test('prints nothing that moves the cursor, and no colour where there is no terminal', () => {
    const stream = Object.assign(new PassThrough(), { isTTY: false, columns: 0 })
    const screen = terminalScreen(stream as unknown as NodeJS.WriteStream)
    screen.write('a\u001b[2Jb\u0007\r\n')
    screen.line('c\u009b31m\u202e', 'red')
    assert.equal(stream.read().toString(), 'a[2Jb\nc31m\n')
    assert.equal(screen.columns, 80)
  })

  test('colours a terminal, unless NO_COLOR is set', () => {
    const stream = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 300,
      // Nothing else of the environment counts, such as CI.
      getColorDepth: () => WriteStream.prototype.getColorDepth({ TERM: 'xterm', NO_COLOR: process.env.NO_COLOR }),
    })
    const screen = terminalScreen(stream as unknown as NodeJS.WriteStream)
    const before = { ...process.env }
    try {
      delete process.env.NO_COLOR
      screen.line('x', 'bold')
      assert.equal(stream.read().toString(), '\u001b[1mx\u001b[22m\n')
      process.env.NO_COLOR = '1'
      screen.line('x', 'bold')
      assert.equal(stream.read().toString(), 'x\n')
    } finally {
      process.env = before
    }
    assert.equal(screen.columns, 120)
  })
})

describe('a live turn', () => {
  test('shows text as it comes, tool calls as they happen, and what went wrong', () => {
    const screen = recorded()
    const show = showLiveTurn(screen)
    const base = { id: 'e', turnId: 't', ts: 1 }
    const events: SessionEvent[] = [
      { ...base, type: 'text_delta', messageId: 'm', text: 'I look' },
      { ...base, type: 'tool_start', toolCallId: 'c', toolName: 'read', args: { path: 'a\u001b.md', from: 3 } },
      { ...base, type: 'tool_result', toolCallId: 'c', result: { path: 'a', from: 3, lines: ['x', 'y'], of: 9 } },
      { ...base, type: 'tool_start', toolCallId: 'd', toolName: 'read', args: 'broken' },
      { ...base, type: 'tool_result', toolCallId: 'd', outcome: 'error', result: 'is binary' },
      { ...base, type: 'text_delta', messageId: 'n', text: 'Found' },
      { ...base, type: 'text_complete', messageId: 'n', text: 'Found' },
      { ...base, type: 'error', message: 'cut off', code: 'NETWORK' },
      { ...base, type: 'abort' },
    ]
    for (const event of events) show(event)
    assert.equal(
      screen.text(),
      'I look\n→ read a.md, from 3\n← read: 2 lines from line 3 of 9\n→ read, input "broken"\n← read: error: is binary\nFound\nNETWORK: cut off\nstopped\n',
    )
  })

  test('describes whatever a call and a result hold', () => {
    fc.assert(
      fc.property(fc.constantFrom('list', 'read', 'search', 'other'), fc.jsonValue(), (tool, value) => {
        assert.equal(typeof describeCall(tool, value), 'string')
        assert.equal(typeof describeResult(tool, 'ok', value), 'string')
        assert.equal(typeof describeResult(tool, 'error', value), 'string')
      }),
    )
  })
})

describe('a result', () => {
  test('counts one thing as one', () => {
    assert.equal(describeResult('list', 'ok', { entries: ['a'] }), '1 entry')
    assert.equal(describeResult('read', 'ok', { lines: ['a'], of: 9 }), '1 line from line 1 of 9')
    assert.equal(describeResult('search', 'ok', { places: ['a'], files: 1 }), '1 place in 1 file')
    assert.equal(describeResult('search', 'ok', { places: [], files: 2 }), '0 places in 2 files')
  })

  test('of a note says what was written', () => {
    assert.equal(describeResult('note', 'ok', { path: 'a.md', written: 1 }), '1 line written to a.md')
  })

  test('says no more of an outcome than there is', () => {
    assert.equal(describeResult('read', 'unknown', null), 'unknown')
    assert.equal(describeResult('read', 'error', 'is binary'), 'error: is binary')
  })
})

describe('a fact', () => {
  test('is one line of at most the given width, whatever it holds', () => {
    const lineOf = (event: object): string => drawFact({ event, eventSeq: 7 } as never, 40)
    assert.equal(lineOf({ content: { kind: 'text', text: 'a\nlong question '.repeat(9) } }).length, 40)
    assert.equal(lineOf({ content: { kind: 'error', message: 'cut\u001b off' } }), '  7  cut off')
    assert.equal(lineOf({ content: { kind: 'from the future' } }), '  7  from the future')
    const request = { requestId: '12345678-9', kind: 'sandbox_boundary', payload: null }
    assert.equal(lineOf({ actions: { request } }), '  7  asks a person: 12345678')
    const answer = { requestId: '12345678-9', outcome: 'denied', by: 'ann', reason: 'not\u001b now' }
    assert.equal(lineOf({ actions: { answer } }), '  7  12345678 is denied by ann: not now')
    const opened = (source: object) => lineOf({ content: { ...opening, source } })
    assert.equal(opened({ kind: 'fresh' }), '  7  opened')
    assert.equal(opened({ kind: 'retry', supersedes: '12345678-9' }), '  7  opened, in place of 12345678')
    assert.equal(opened({ kind: 'continuation', of: '12345678-9' }), '  7  opened, goes on from 12345678')
    assert.equal(lineOf({ actions: {} }), '  7  a fact without content')
    assert.equal(lineOf({ content: { kind: 'error', message: 'x' }, status: 'failed' }), '  7  failed')
  })
})

describe('a request', () => {
  test('is shown whole, what takes many lines last, with what to type', () => {
    const request = (requestId: string, args: JsonValue) =>
      ({ requestId, payload: { toolName: 'note', args } }) as unknown as RequestRecord
    const screen = recorded()
    const content = `${'wide '.repeat(50)}\n\nlast\n`
    showRequests([request('12345678-9:1', { content, path: 'a.md' }), request('abcdefgh:2', 7)], '/some where', screen)
    assert.equal(
      screen.text(),
      `
May it run note?
  path     a.md
  content  ${'wide '.repeat(50).trimEnd()}

           last

npm start -- --approve 12345678 --ledger "/some where"
npm start -- --deny 12345678 --reason "why not" --ledger "/some where"

May it run note?
  input    7

npm start -- --approve abcdefgh --ledger "/some where"
npm start -- --deny abcdefgh --reason "why not" --ledger "/some where"
`,
    )
  })

  test('is named whole where another one begins as it does', () => {
    const screen = recorded()
    const ids = ['12345678:1', '12345678:2']
    showRequests(
      ids.map((requestId) => ({ requestId, payload: null }) as RequestRecord),
      defaultLedger,
      screen,
    )
    assert.deepEqual(
      screen.text().match(/--approve .*/g),
      ids.map((id) => `--approve ${id}`),
    )
  })
})

describe('a tree of sessions', () => {
  test('has each session once, branches below their parents, and those without one at the top', () => {
    const parents = { a: null, b: 'a', c: 'b', d: 'a', e: 'removed', f: null }
    const all = Object.entries(parents).map(([id, parentSessionId]) => ({ id, parentSessionId }))
    const lines = drawTree(all, ['one', 'two', 'three', 'four', 'five', 'six\n'.repeat(20)], 20)
    assert.deepEqual(lines, ['a  one', '└ b  two', '  └ c  three', '└ d  four', 'e  five', 'f  six six six six …'])
  })

  test('takes chains of any length', () => {
    const all = Array.from({ length: 20_000 }, (_, at) => ({
      id: `${at}`,
      parentSessionId: at === 0 ? null : `${at - 1}`,
    }))
    assert.equal(drawTree(all, [], 60).length, all.length)
  })
})

describe('the transcript', () => {
  test('puts each item on one line of at most the given width', () => {
    const lines = drawTranscript(
      [
        {
          turnId: 't',
          invocationId: 'i',
          runId: 'r',
          openedAt: 1,
          state: 'failed',
          userText: 'a long\nquestion '.repeat(20),
          items: [
            { type: 'thinking', text: 'hm' },
            {
              type: 'tool_call',
              toolCallId: 'c',
              toolName: 'list',
              args: {},
              outcome: 'ok',
              result: { entries: [], more: 0 },
            },
            { type: 'tool_call', toolCallId: 'd', toolName: 'list', args: {}, outcome: 'open' },
            { type: 'text', text: 'answer\n\nin lines' },
          ],
          error: { message: 'the socket closed' },
        },
      ],
      40,
    )
    assert.ok(lines.every((line) => widthOf(line) <= 40 && !line.includes('\n')))
    assert.deepEqual(lines.slice(1), [
      'think  hm',
      'tool   list → 0 entries',
      'tool   list → open',
      'agent  answer in lines',
      '       failed: the socket closed',
    ])
  })
})

describe('the timeline', () => {
  const event = (ts: number, more: object): StoredRuntimeEvent =>
    ({
      event: { invocationId: 'i', ts, partial: false, ...more },
      eventSeq: 1,
      sessionSeq: 1,
      committedAt: ts,
    }) as never
  const opened = (ts: number, invocationId = 'i') => event(ts, { invocationId, content: opening })
  const call = (ts: number, id: string) =>
    event(ts, { content: { kind: 'function_call', toolCallId: id, name: 'read', args: {} } })
  const result = (ts: number, id: string, outcome: string) =>
    event(ts, { content: { kind: 'function_response', toolCallId: id, name: 'read', outcome, result: 1 } })

  test('draws durations on one scale and calls where they were made', () => {
    const spans = timelineOf([
      opened(1000),
      call(1000, 'a'),
      result(1500, 'a', 'ok'),
      call(1500, 'b'),
      result(2000, 'b', 'error'),
      event(2000, { status: 'completed' }),
      opened(9000, 'j'),
      event(9500, { invocationId: 'j', status: 'failed' }),
    ])
    assert.deepEqual(drawTimeline(spans, 60), [
      'turn 1 · completed    1.0 s ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
      '  read               500 ms ████████████████',
      '  read · error       500 ms                 ████████████████',
      'turn 2 · failed      500 ms ━━━━━━━━━━━━━━━━',
    ])
  })

  test('draws what never ended, clocks that jump back and unknown facts within the width', () => {
    const spans = timelineOf([
      event(1, { content: { kind: 'text', text: 'before any opening' } }),
      opened(5000),
      event(5000, { content: { kind: 'from the future' } }),
      call(100, 'a'),
      result(50, 'a', 'ok'),
      result(60, 'nobody', 'ok'),
      call(9_000_000, 'b'),
    ])
    for (const columns of [40, 80, 120])
      for (const line of drawTimeline(spans, columns)) assert.ok(widthOf(line) <= columns, line)
    assert.match(drawTimeline(spans, 60)[0] ?? '', /open {2,}open|· open/)
  })
})
