import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sessionEvents } from '../../../test/session-event-samples.ts'
import { found, type ToldTurn, toldTurn, withState } from '../../../test/told-turn.ts'
import type { SessionEvent } from '../../session-event/session-event.ts'
import type { JsonValue } from '../../json/json-value.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { gapMarker, truncationMarker } from '../log/markers.ts'

const base = { id: 'e', turnId: 't', ts: 2 }
let lastId = 0
const say = (event: object): SessionEvent => ({ ...base, id: `e${++lastId}`, ...event }) as SessionEvent
const delta = (messageId: string, text: string) => say({ type: 'text_delta', messageId, text })
const whole = (messageId: string, text: string) => say({ type: 'text_complete', messageId, text })
const complete = say({ type: 'complete', stopReason: 'end_turn' })

/** A turn in which each row stands for something that the ledger holds, or that must be there for what does. */
const turn: readonly SessionEvent[] = [
  say({ type: 'thinking_delta', messageId: 'm', text: 'hm', agentPath: ['a'] }),
  say({ type: 'thinking_complete', messageId: 'm', text: 'hmm', agentPath: ['a'] }),
  delta('m', 'hel'),
  delta('n', 'by'),
  whole('m', 'hello'),
  say({ type: 'tool_input_delta', toolCallId: 'c', toolName: 'read', text: '{"b": 1, "a"' }),
  say({ type: 'tool_start', toolCallId: 'c', toolName: 'read', args: { b: 1, a: [2] } }),
  say({ type: 'tool_start', toolCallId: 'd', toolName: 'read', args: 'x', stepId: 's' }),
  say({ type: 'tool_result', toolCallId: 'd', result: { b: 1, a: 2 } }),
  say({ type: 'tool_result', toolCallId: 'c', outcome: 'denied', result: null }),
  whole('n', 'other \ud83d'),
  complete,
]

function replaceIn(rows: (string | null)[], from: string, to: string): void {
  const place = rows.findIndex((row) => row?.includes(from))
  assert.notEqual(place, -1, from)
  rows[place] = rows[place]!.replace(from, to)
}

function placeOf({ rows }: ToldTurn, what: string): number {
  return rows.findIndex((row) => row?.includes(what))
}

const deep = '['.repeat(200_000) + ']'.repeat(200_000)
const gap = JSON.stringify(gapMarker({ reason: 'store_failed', dropped: 1 }))
const truncation = JSON.stringify(truncationMarker({ cap: 1, capBytes: 1 }))

const call = (toolCallId: string, args: unknown) => say({ type: 'tool_start', toolCallId, toolName: 'read', args })
const waiting = say({ type: 'complete', stopReason: 'waiting' })
const inAgent = { agentPath: ['a', 'b'] }

/** Everything that a fact can be told as. */
const shown: readonly SessionEvent[] = [
  say({ type: 'thinking_delta', messageId: 'm', text: 'hm', ...inAgent }),
  say({ type: 'thinking_complete', messageId: 'm', text: 'hm', providerMetadata: { s: 'x' }, ...inAgent }),
  say({ type: 'text_complete', messageId: 'm', text: 'hello', ...inAgent }),
  delta('n', 'by'),
  whole('n', 'other'),
  say({ type: 'tool_input_delta', toolCallId: 'd', toolName: 'write', text: '{' }),
  say({ type: 'tool_start', toolCallId: 'd', toolName: 'read', args: { a: 1 } }),
  say({ type: 'tool_result', toolCallId: 'd', outcome: 'denied', result: null }),
  say({ type: 'tool_start', toolCallId: 'c', toolName: 'read', args: { a: 1 }, ...inAgent }),
  say({ type: 'source', sourceId: 'x', url: 'u', title: 't', ...inAgent }),
  say({ type: 'file', messageId: 'm', mediaType: 'image/png', data: 'AA==' }),
  say({ type: 'token_usage', usage: { inputTokens: 3 } }),
  say({ type: 'custom', name: 'mood', value: { good: true } }),
  say({ type: 'newer', foo: [1] }),
  say({ type: 'user_question_answer_ack', requestId: 'x' }),
  say({ type: 'sandbox_boundary_request', requestId: 'r', toolCallId: 'c', request: { run: 'ls' }, ...inAgent }),
  say({ type: 'user_question_request', requestId: 'q', question: 'which?' }),
]
const failure = [say({ type: 'error', message: 'broken', code: 'E1' }), say({ type: 'complete', stopReason: 'error' })]
const richTurns: readonly [title: string, events: readonly SessionEvent[], version?: string][] = [
  ['of a turn that waits', [...shown, waiting]],
  ['of a turn that was stopped', [...shown, say({ type: 'abort', source: 'user' })]],
  ['to an older client', [...shown, ...failure], '0.9'],
]
/** What is replaced afterwards, and what any event has of one whose type is not known. */
const unheld: readonly string[] = [
  ...['id', 'ts', 'turnId']
    .flatMap((name) => [`value/${name}`, `value/${name} gone`])
    .map((path) => `daybook.session_event /${path}`),
  'TEXT_MESSAGE_CONTENT /delta',
  'TOOL_CALL_ARGS /delta',
  'TOOL_CALL_START /toolCallName',
]

/** The event with each of its fields taken away, and with each of its values changed; times are nobody's business. */
function* changesOf(value: JsonValue, path: string = ''): Iterable<readonly [path: string, changed: JsonValue]> {
  if (typeof value === 'string') yield [path, `${value}x`]
  if (typeof value !== 'object') yield [path, 42]
  if (value === null || typeof value !== 'object') return
  for (const [name, field] of Object.entries(value) as [string, JsonValue][]) {
    if (name === 'timestamp') continue
    const put = (changed: JsonValue | undefined): JsonValue => {
      const copy = structuredClone(value) as Record<string, JsonValue>
      if (changed === undefined) delete copy[name]
      else copy[name] = changed
      return copy
    }
    yield [`${path}/${name} gone`, put(undefined)]
    for (const [inner, changed] of changesOf(field, `${path}/${name}`)) yield [inner, put(changed)]
  }
}

/** Each is done to a turn of its own. The rows are counted again afterwards, unless `keepsState`. */
const damages: Record<string, { does: (turn: ToldTurn) => void; keepsState?: true; finds: readonly string[] }> = {
  nothing: { does() {}, finds: [] },
  'a row that is no JSON': { does: ({ rows }) => replaceIn(rows, '{', '['), finds: ['log_unreadable'] },
  'a row that is no object': { does: ({ rows }) => (rows[2] = '[]'), finds: ['log_unreadable'] },
  'a row without a type': { does: ({ rows }) => (rows[2] = '{"type":1}'), finds: ['log_unreadable'] },
  'a row that is no text': { does: ({ rows }) => (rows[2] = null), finds: ['log_unreadable'] },
  'a message whose id is nested too deeply': {
    does: ({ rows }) => (rows[2] = `{"type":"TEXT_MESSAGE_END","messageId":${deep}}`),
    finds: ['log_invalid'],
  },
  'arguments that are nested too deeply': {
    does(turn) {
      const value = `{"toolCallId":"c","args":${deep}}`
      turn.rows.splice(
        placeOf(turn, '"toolCallId":"d"') - 2,
        0,
        `{"type":"CUSTOM","name":"daybook.tool_args_replaced","value":${value}}`,
      )
    },
    finds: ['log_differs'],
  },
  'a row that is missing': {
    does: (turn) => (turn.seqs = turn.rows.map((_, index) => (index < 3 ? index + 1 : index + 2))),
    finds: ['log_seq_gap'],
  },
  'rows that are missing at the end': {
    does: ({ state }) => (state.lastSeq += 2),
    keepsState: true,
    finds: ['log_seq_gap'],
  },
  'a row behind the last': {
    does: ({ state }) => (state.lastSeq -= 1),
    keepsState: true,
    finds: ['log_seq_gap'],
  },
  'a seq that is no integer': {
    does: (turn) => (turn.seqs = turn.rows.map((_, index) => (index === 3 ? 3.5 : index + 1))),
    finds: ['log_seq_gap'],
  },
  'a seq that is no number': {
    does: (turn) => (turn.seqs = turn.rows.map((_, index) => (index === 3 ? Number.NaN : index + 1))),
    finds: ['log_seq_gap'],
  },
  'a floor behind the end': {
    does(turn) {
      turn.state.floor = turn.state.lastSeq + 2
      turn.rows = []
    },
    keepsState: true,
    finds: ['log_columns_differ', 'log_invalid', 'note log_incomplete'],
  },
  'bytes that were counted otherwise': {
    does: ({ state }) => (state.bytes += 1),
    keepsState: true,
    finds: ['log_columns_differ'],
  },
  'a truncation that no row tells of': {
    does: ({ state }) => (state.truncated = true),
    keepsState: true,
    finds: ['log_columns_differ'],
  },
  'a truncation that is not marked': {
    does(turn) {
      turn.rows.splice(-1, 0, truncation)
      withState(turn).state.truncated = false
    },
    keepsState: true,
    finds: ['log_columns_differ', 'note log_incomplete'],
  },
  'another thread': {
    does: ({ state }) => (state.header = { ...state.header, threadId: 'x' }),
    finds: ['log_differs'],
  },
  'a start of another thread': { does: ({ rows }) => replaceIn(rows, '"thread"', '"threaD"'), finds: ['log_differs'] },
  'a start of another run': { does: ({ rows }) => replaceIn(rows, '"run"', '"ruN"'), finds: ['log_differs'] },
  'a second start': { does: ({ rows }) => rows.splice(1, 0, rows[0]!), finds: ['log_invalid'] },
  'no start': { does: ({ rows }) => rows.splice(0, 1), finds: ['log_invalid'] },
  'a write id that comes twice': { does: (turn) => (turn.writeIds = ['a', 'b', 'a']), finds: ['log_invalid'] },
  'an end that is not marked': {
    does({ state }) {
      const { finishedAt: _, ...header } = state.header
      state.header = header
    },
    finds: ['log_columns_differ'],
  },
  'a mark without an end': { does: ({ rows }) => rows.pop(), finds: ['log_invalid'] },
  'rows behind the end': { does: ({ rows }) => rows.push(rows[2]!, rows[2]!), finds: ['log_invalid'] },
  'another end': {
    does: ({ rows }) => (rows[rows.length - 1] = '{"type":"RUN_ERROR","message":"no","code":"error"}'),
    finds: ['log_differs'],
  },
  'an end of a run that goes on': { does: ({ facts }) => facts.pop(), finds: ['log_differs'] },
  'a flipped letter of a text': { does: ({ rows }) => replaceIn(rows, '"hel"', '"hal"'), finds: ['log_differs'] },
  'a flipped letter of thinking': { does: ({ rows }) => replaceIn(rows, '"hm"', '"ha"'), finds: ['log_differs'] },
  'a flipped letter of arguments': {
    does: ({ rows }) => replaceIn(rows, '"\\"x\\""', '"\\"y\\""'),
    finds: ['log_differs'],
  },
  'replaced arguments': {
    does: ({ rows }) => replaceIn(rows, '"args":{"b":1', '"args":{"b":2'),
    finds: ['log_differs'],
  },
  'another result': { does: ({ rows }) => replaceIn(rows, '"{\\"b\\":1', '"{\\"b\\":2'), finds: ['log_differs'] },
  'a result that is no JSON': {
    does: ({ rows }) => replaceIn(rows, '"{\\"b\\":1', '"[\\"b\\":1'),
    finds: ['log_differs'],
  },
  'another outcome': {
    does: ({ rows }) => replaceIn(rows, '"outcome":"denied"', '"outcome":"error"'),
    finds: ['log_differs'],
  },
  'a fact that is not told': {
    does: (turn) => turn.facts.splice(3, 0, turn.facts[1]!),
    finds: ['log_differs'],
  },
  'a last fact that is not told': {
    does: (turn) => turn.facts.splice(-1, 0, { ...turn.facts[1]!, id: 'more' }),
    finds: ['log_differs'],
  },
  'a fact that is gone': { does: (turn) => turn.facts.splice(1, 1), finds: ['log_differs'] },
  'a gap where a fact is not told': {
    does(turn) {
      const [from, to] = [placeOf(turn, '"toolCallId":"d"'), placeOf(turn, '"toolCallId":"d","content"')]
      turn.rows.splice(from, to - from + 1, gap)
    },
    finds: ['note log_incomplete'],
  },
  'a gap elsewhere than where a fact is not told': {
    does(turn) {
      const [from, to] = [placeOf(turn, '"toolCallId":"d"'), placeOf(turn, '"toolCallId":"d","content"')]
      turn.rows.splice(from, to - from + 1)
      turn.rows.splice(-1, 0, gap)
    },
    finds: ['log_differs', 'note log_incomplete'],
  },
  'a truncation, and texts without a part': {
    does(turn) {
      turn.rows.splice(placeOf(turn, '"hel"'), 1, truncation)
    },
    finds: ['note log_incomplete'],
  },
  'a trimmed log': {
    does(turn) {
      turn.rows.splice(0, 4)
      turn.state.floor = 5
    },
    keepsState: true,
    finds: ['note log_incomplete'],
  },
  'the end of a sweep': {
    does(turn) {
      turn.rows.splice(5, Infinity, '{"type":"RUN_ERROR","message":"old","code":"AgentEventMaxAge"}')
    },
    finds: ['note log_incomplete'],
  },
  'the log of somebody else': {
    does(turn) {
      turn.state.header = { ...turn.state.header, threadId: 'x' }
      turn.rows = ['{"type":"RUN_STARTED","threadId":"x","runId":"run"}', '{"type":"TEXT_MESSAGE_END"}']
    },
    finds: ['note log_without_run'],
  },
}

describe('verify, of a delivery log', () => {
  for (const [name, { does, keepsState, finds }] of Object.entries(damages)) {
    test(`finds what there is to find of ${name}`, () => {
      const told = toldTurn(turn)
      does(told)
      if (keepsState === undefined) withState(told)
      const messages = found(told)
      const codes = new Set(messages.map((message) => message.split(':')[0]))
      assert.deepEqual(codes, new Set(finds), messages.join('\n'))
    })
  }

  test('misses no row that is gone, comes twice or has changed its place, save what is replaced afterwards', () => {
    const { rows } = toldTurn(turn)
    const unnoticed = (change: (rows: (string | null)[], place: number) => void): string[] =>
      rows.flatMap((row, place) => {
        const told = toldTurn(turn)
        change(told.rows, place)
        return found(withState(told)).length > 0 ? [] : [row!.replace(/.*"(delta|name)":"(.*?[^\\\\])".*/, '$2')]
      })
    const replaced = ['by', '{\\"b\\": 1, \\"a\\"']
    assert.deepEqual(
      unnoticed((all, place) => all.splice(place, 1)),
      replaced,
    )
    assert.deepEqual(unnoticed((all, place) => all.splice(place, 0, all[place]!)).toSorted(), replaced.toSorted())
    // The last one stays where it is.
    assert.deepEqual(
      unnoticed((all, place) => all.splice(all.length - 1, 0, ...all.splice(place, 1))),
      rows.slice(-1),
    )
  })

  for (const [title, events, version] of richTurns) {
    test(`finds whatever is told otherwise ${title}`, () => {
      assert.deepEqual(found(toldTurn(events, version)), [])
      const { rows } = toldTurn(events, version)
      const unnoticed = rows.flatMap((row, place) => {
        const event = JSON.parse(row!) as AgentEvent & { readonly name?: string }
        return [...changesOf(event)].flatMap(([path, changed]) => {
          const told = toldTurn(events, version)
          told.rows[place] = JSON.stringify(changed)
          return found(withState(told)).length > 0 ? [] : [`${event.name ?? event.type} ${path}`]
        })
      })
      assert.deepEqual(new Set(unnoticed), new Set(unheld))
    })
  }

  test('finds what no event is told as, wherever it stands', () => {
    const planted = [
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'x' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'z', toolCallName: 'rm', delta: '{}' },
      { type: 'MESSAGES_SNAPSHOT', messages: [] },
      { type: 'SOMETHING_NEWER' },
      { type: 'CUSTOM', name: 'mine', value: 1 },
      { type: 'CUSTOM', name: 'daybook.text_replaced', value: { messageId: 'run:text:m', text: 'x' } },
      { type: 'CUSTOM', name: 'daybook.custom', value: { name: 'x', value: 1 } },
      { type: 'CUSTOM', name: 'daybook.session_event', value: { type: 'x', id: 'e', turnId: 't', ts: 1, y: 1 } },
    ]
    for (const row of planted) {
      for (let place = 1; place < toldTurn(turn).rows.length; place++) {
        const told = toldTurn(turn)
        told.rows.splice(place, 0, JSON.stringify(row))
        assert.match(found(withState(told)).join(), /log_(?:differs|invalid)/, `${JSON.stringify(row)} at ${place}`)
      }
    }
  })

  test('finds a log of another tenant, and a version that its start does not say', () => {
    const told = toldTurn(turn)
    told.state.header = { ...told.state.header, tenant: 'x' }
    assert.deepEqual(found(told), ['log_differs: is of another tenant than the session'])
    told.state.header = { ...told.state.header, tenant: null, protocolVersion: '0.9' }
    assert.match(found(told).join(), /^log_differs: starts the run otherwise than the log says/)
  })

  test('finds an interrupt that is gone, and one that asks otherwise', () => {
    const asked = [say({ type: 'user_question_request', requestId: 'r', question: { b: 1, a: 'which?' } }), waiting]
    const told = toldTurn(asked)
    assert.deepEqual(found(told), [])
    told.rows[1] =
      '{"type":"RUN_FINISHED","threadId":"thread","runId":"run","outcome":{"type":"success"},"result":{"stopReason":"waiting"}}'
    assert.match(found(withState(told)).join(), /^log_differs: tells another end/)
  })

  test('takes a text, thinking or a call for the second of its id where a gap may hold the first', () => {
    const twice = [
      [whole('m', 'one'), whole('m', 'two')],
      [
        say({ type: 'thinking_complete', messageId: 'm', text: 'one' }),
        say({ type: 'thinking_complete', messageId: 'm', text: 'two' }),
      ],
      [call('c', 1), call('c', 2)],
      [whole('m', 'one'), call('c', 1), whole('m', 'one'), call('d', 1)],
    ]
    for (const [first, ...others] of twice) {
      for (const isTruncated of [false, true]) {
        const told = toldTurn([first!, ...others, complete])
        const { rows } = toldTurn([...others, complete])
        const cut = rows.filter((row) => !isTruncated || !row!.includes('"delta"'))
        told.rows = [cut[0]!, gap, ...(isTruncated ? [truncation] : []), ...cut.slice(1)]
        const notes = found(withState(told))
        assert.deepEqual(
          notes.filter((message) => !message.startsWith('note')),
          [],
        )
      }
    }
  })

  test('takes no end behind a gap for something that was told behind it', () => {
    const told = toldTurn([whole('m', 'one'), call('c', 1), call('d', 1), complete])
    const start = placeOf(told, 'TEXT_MESSAGE_START')
    const [end, next] = [placeOf(told, 'TEXT_MESSAGE_END'), placeOf(told, '"d"')]
    told.rows = [...told.rows.slice(0, start + 1), gap, told.rows[end]!, ...told.rows.slice(next)]
    assert.match(found(withState(told)).join(), /^note log_incomplete: has a gap[^,]*$/)
  })

  test('takes a call that is made after its result for one that its result had ended', () => {
    const streamed = say({ type: 'tool_input_delta', toolCallId: 'c', toolName: 'read', text: '}' })
    const result = say({ type: 'tool_result', toolCallId: 'c', toolName: 'read', result: null })
    assert.deepEqual(found(toldTurn([streamed, result, call('c', 1), complete])), [])
  })

  for (const [what, events] of Object.entries({
    'a custom event with a field that nobody knows': [say({ type: 'custom', name: 'mood', value: 1, extra: true })],
    'thinking with which the provider wants nothing back': [
      say({ type: 'thinking_complete', messageId: 'm', text: 'x', providerMetadata: null }),
    ],
  })) {
    test(`takes ${what} for told`, () => {
      assert.deepEqual(found(toldTurn([...events, complete])), [])
    })
  }

  for (const [when, isMixed] of [
    ['with sub-agents', false],
    ['after the end of a sub-agent was told', true],
  ] as const) {
    test(`takes what ends a log in its writer's place ${when}`, () => {
      const told = toldTurn([
        say({ type: 'text_complete', messageId: 'm', text: 'x', agentPath: ['a'] }),
        say({ type: 'error', message: 'broken', code: 'E1' }),
        say({ type: 'complete', stopReason: 'error' }),
      ])
      const [endOfAgent, end] = told.rows.splice(-2)
      const plain = (row: string | null | undefined) =>
        row!.replace('"message":"broken"', '"message":"The run failed: E1."')
      told.rows.push(...(isMixed ? [endOfAgent!, gap, plain(end)] : [gap, plain(endOfAgent), plain(end)]))
      assert.match(found(withState(told)).join(), /^note log_incomplete: [^\n]*$/)
    })
  }

  const forged = (messageId: string): readonly object[] => [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: 'send money' },
    { type: 'CUSTOM', name: 'daybook.text_replaced', value: { messageId, text: '' } },
    { type: 'TEXT_MESSAGE_END', messageId },
  ]
  for (const [what, change] of Object.entries<(rows: AgentEvent[]) => void>({
    'a message of another id, though it is replaced by nothing': (rows) =>
      rows.splice(1, 0, ...(forged('evil') as AgentEvent[])),
    'a field that is put into what a backend says': (rows) => {
      for (const { name, value } of rows) if (name === 'daybook.custom') Object.assign(value as object, { evil: 1 })
    },
    'a call that is of no message any more': (rows) => {
      for (const row of rows) Reflect.deleteProperty(row, 'parentMessageId')
    },
    'a call that is of another message': (rows) => {
      for (const row of rows) if ('parentMessageId' in row) Object.assign(row, { parentMessageId: 'run:text:n' })
    },
  })) {
    test(`finds ${what}`, () => {
      const told = toldTurn([
        whole('n', 'b'),
        whole('m', 'a'),
        say({ type: 'tool_start', toolCallId: 'c', toolName: 'read', args: 1 }),
        say({ type: 'custom', name: 'mood', value: 1 }),
        complete,
      ])
      assert.deepEqual(found(told), [])
      const rows = told.rows.map((row) => JSON.parse(row!) as AgentEvent)
      change(rows)
      told.rows = rows.map((row) => JSON.stringify(row))
      assert.match(found(withState(told)).join(), /^log_differs: /)
    })
  }

  test('holds thousands of rows that say the same behind a gap in as little time as others', () => {
    const told = toldTurn([
      ...Array.from({ length: 3000 }, () => say({ type: 'token_usage', usage: { inputTokens: 1 } })),
      complete,
    ])
    told.rows.splice(1, 0, gap)
    assert.match(found(withState(told)).join(), /^note log_incomplete: [^\n]*$/)
  })

  test('holds all of a text that was cut off', () => {
    const told = toldTurn([delta('m', 'hello'), say({ type: 'abort' })])
    replaceIn(told.rows, '"hello"', '"hello, and more"')
    assert.deepEqual(found(withState(told)), ['log_differs: tells another text than the event holds'])
  })

  test('notes where a log was given up, and that a run which has ended has a log which has not', () => {
    const opened = toldTurn(turn.slice(0, -1))
    assert.deepEqual(found(opened), [])
    opened.facts.push(toldTurn([whole('later', 'text')]).facts[0]!)
    assert.deepEqual(found(opened), ['note log_incomplete: tells nothing of event 10 and what follows it'])
    opened.facts.push(toldTurn([complete]).facts[0]!)
    assert.match(found(opened).join('\n'), /^note log_incomplete: .*\nnote log_unfinished: /)
  })

  test('takes no gap right behind the end of a call that nobody completed for something that was told', () => {
    const told = toldTurn([say({ type: 'tool_input_delta', toolCallId: 'c', toolName: 'read', text: '{' }), complete])
    assert.deepEqual(found(told), [])
    told.rows.splice(-1, 0, gap)
    assert.match(found(withState(told)).join(), /^note log_incomplete: [^\n]*$/)
    told.rows.splice(-2, 1, '{"type":"CUSTOM","name":"daybook.provider_retry","value":{"message":"again"}}')
    assert.deepEqual(found(withState(told)), ['log_differs: tells a call that no event holds'])
  })

  test('takes a call that its result ended for no other call of its id that comes later', () => {
    const told = toldTurn([
      say({ type: 'tool_input_delta', toolCallId: 'c', toolName: 'read', text: '{' }),
      say({ type: 'tool_result', toolCallId: 'c', result: 'no' }),
      say({ type: 'tool_start', toolCallId: 'c', toolName: 'read', args: { path: 'a' } }),
      complete,
    ])
    assert.deepEqual(found(told), [])
  })

  test('takes a text that no event holds only where the end of the run says so', () => {
    const told = toldTurn([delta('m', 'lost'), complete])
    const [, end] = told.facts
    told.facts = [end!]
    assert.deepEqual(found(told), ['log_differs: tells a text that no event holds'])
    const ending = { ...end!.actions!.ending!, partialText: 'not_recorded' as const }
    told.facts = [{ ...end!, actions: { ...end!.actions, ending } }]
    assert.deepEqual(found(told), [])
  })

  test('finds nothing wrong with what is told of any events, to any client', () => {
    const { complete: _, abort: __, ...others } = sessionEvents
    const events = fc.array(
      fc.record({
        event: fc.constantFrom(...Object.values(others)),
        messageId: fc.constantFrom('m', 'n'),
        toolCallId: fc.constantFrom('c', 'd'),
        text: fc.constantFrom('a', 'ab', '', '{', '{"path":"a"}', '\ud83d', '\ude00'),
        from: fc.constantFrom(
          {},
          { stepId: 's' },
          { stepId: 'u' },
          { agentPath: ['a'] },
          { agentPath: ['a', 'b'], stepId: 's' },
        ),
      }),
    )
    const stopReasons = ['end_turn', 'waiting', 'user_stop', 'error', 'content_filter'] as const
    const ends = fc.constantFrom(
      undefined,
      sessionEvents.abort,
      ...stopReasons.map((stopReason) => ({ ...complete, stopReason })),
    )
    fc.assert(
      fc.property(events, ends, fc.constantFrom('1.0', '0.9'), (said, end, version) => {
        const all = said.map(({ event, messageId, toolCallId, text, from }, index) => ({
          ...event,
          id: `e${index}`,
          ...('messageId' in event && { messageId }),
          ...('text' in event && { text }),
          ...('toolCallId' in event && { toolCallId }),
          ...('requestId' in event && { requestId: `r${index}` }),
          ...from,
        }))
        const told = toldTurn(
          [...all, ...(end === undefined ? [] : [{ ...end, id: 'end' } as SessionEvent])] as SessionEvent[],
          version,
        )
        assert.deepEqual(found(told), [])
      }),
    )
  })
})
