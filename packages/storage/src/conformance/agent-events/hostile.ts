import assert from 'node:assert/strict'
import type { AgentEvent, AgentEventHeader, AgentEventStore, NewAgentEventRow } from '@daybook/core'
import { headerOf, openLog, seqsOf, step, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

const hostileTexts = {
  'a NUL character': 'a\0b',
  'halves of surrogate pairs': '\ud83d and \ude42',
  'a line break': 'a\nb\r\n\u2028c',
  quotes: `"'\\","event":{"type":"CUSTOM"}`,
  'what SQL is made of': "'; DROP TABLE daybook_agent_events; -- $1 ?",
  'a MiB': 'x'.repeat(1_048_576),
  'characters of every length': 'aé€🙂\u{10ffff}',
}

export function hostileBehaviour(behaviour: AgentEventBehaviour): void {
  for (const [name, text] of Object.entries(hostileTexts)) {
    behaviour(`keeps an event with ${name}`, async ({ store }) => {
      await openLog(store, 'r')
      const event = { type: 'TEXT_MESSAGE_CONTENT', delta: text, [text.slice(0, 100)]: [text.slice(0, 100)] }
      await store.append('r', { seq: 1, event })
      assert.deepEqual((await store.readPage('r')).items, [{ seq: 1, event }])
      assert.equal((await store.readState('r'))!.bytes, Buffer.byteLength(JSON.stringify(event)))
    })
  }

  behaviour('keeps members that objects have by themselves, and their order', async ({ store }) => {
    const json =
      '{"type":"CUSTOM","__proto__":{"polluted":true},"constructor":1,"toString":null,"b":1,"a":{"":-0.5e-300}}'
    const event: AgentEvent = JSON.parse(json)
    await openLog(store, 'r')
    await store.append('r', { seq: 1, event })
    const [row] = (await store.readPage('r')).items
    assert.equal(JSON.stringify(row!.event), JSON.stringify(event))
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })

  behaviour('keeps what a host says of who may follow, whatever it is', async ({ store }) => {
    const text = 'a\0\ud800"'
    const header = headerOf('r', {
      tenant: text,
      gates: [text, ''],
      userId: text,
      operatorId: '',
      protocolVersion: text,
    })
    await store.writeHeader(header)
    assert.deepEqual(await store.readHeader('r'), header)
  })

  behaviour('keeps runs with every id that there is apart', async ({ store }) => {
    const ids = [
      '.',
      '..',
      '../r',
      '/',
      'a/b',
      'a%2Fb',
      '%',
      '__proto__',
      'constructor',
      ' ',
      "'",
      '"',
      '?*:<>|\\',
      'é',
      '🙂',
    ]
    const decomposed = 'e\u0301'
    for (const runId of [...ids, decomposed, 'x'.repeat(200)]) {
      await store.writeHeader(headerOf(runId, { threadId: runId, parentRunId: runId }))
      await store.append(runId, { seq: 1, event: step(runId), writeId: runId })
    }
    for (const runId of [...ids, decomposed, 'x'.repeat(200)]) {
      const { header, rows } = (await store.read(runId))!
      assert.deepEqual([header.runId, header.threadId, rows[0]!.event], [runId, runId, step(runId)])
      assert.equal(await store.readWriteId(runId, 1), runId)
      assert.equal(await store.remove(runId), true)
    }
  })

  behaviour('keeps ids that begin with a byte order mark, or refuses them', async ({ store }) => {
    const id = '\ufeffr'
    await openLog(store, 'r')
    const writes: readonly (() => Promise<unknown>)[] = [
      () => store.writeHeader(headerOf(id)),
      () => store.writeHeader(headerOf('r', { threadId: id })),
      () => store.append('r', stepRow(1, { writeId: id })),
    ]
    for (const [index, write] of writes.entries()) {
      const isKept = await write().then(
        () => true,
        ({ code }) => assert.equal(code, 'INVALID_ID'),
      )
      if (isKept !== true) continue
      const reads = [(await store.readHeader(id))?.runId, (await store.readHeader('r'))?.threadId]
      assert.equal([...reads, await store.readWriteId('r', 1)][index], id)
    }
    for (const { runId } of (await store.listRuns({ finished: false, until: 1 })).items)
      assert.equal((await store.readHeader(runId))?.runId, runId)
  })

  behaviour('refuses ids that are none', async ({ store }) => {
    await openLog(store, 'r')
    const methods: readonly ((store: AgentEventStore, runId: string) => Promise<unknown>)[] = [
      (store, runId) => store.createHeader(headerOf(runId)),
      (store, runId) => store.writeHeader(headerOf(runId)),
      (store, runId) => store.readHeader(runId),
      (store, runId) => store.readState(runId),
      (store, runId) => store.append(runId, stepRow(1)),
      (store, runId) => store.read(runId),
      (store, runId) => store.readPage(runId),
      (store, runId) => store.readWriteId(runId, 1),
      (store, runId) => store.maxSeq(runId),
      (store, runId) => store.truncated(runId),
      (store, runId) => store.claim(runId, 1),
      (store, runId) => store.trim(runId, 1),
      (store, runId) => store.remove(runId),
    ]
    for (const id of ['', 'a\0b', 'a\ud800', 'x'.repeat(201), 'é'.repeat(101), 5 as never, undefined as never]) {
      for (const method of methods) {
        await assert.rejects(method(store, id), (error: { code: string }) => {
          // What checks the type of the header first says that it is no text.
          assert.ok(
            error.code === 'INVALID_ID' || (typeof id !== 'string' && error.code === 'INVALID_INPUT'),
            error.code,
          )
          return true
        })
      }
      if (typeof id !== 'string') continue
      const invalid = { code: 'INVALID_ID' }
      await assert.rejects(store.writeHeader(headerOf('q', { threadId: id })), invalid)
      await assert.rejects(store.writeHeader(headerOf('q', { parentRunId: id })), invalid)
      await assert.rejects(store.append('r', stepRow(1, { writeId: id })), invalid)
    }
    assert.equal(await store.readHeader('q'), undefined)
    assert.deepEqual(await seqsOf(store, 'r'), [])
  })

  behaviour('refuses headers and rows of another form, and keeps nothing of them', async ({ store }) => {
    await openLog(store, 'r')
    const headers = [
      null,
      {},
      { tenant: 5 },
      { gates: 'all' },
      { gates: [5] },
      { openedAt: NaN },
      { openedAt: 1.5 },
      { more: 1 },
    ]
    for (const header of headers) {
      const given = (header === null
        ? null
        : { ...headerOf('q'), userId: undefined, ...header }) as unknown as AgentEventHeader
      await assert.rejects(store.writeHeader(given), { code: 'INVALID_INPUT' })
    }
    assert.equal(await store.readHeader('q'), undefined)
    const circular: Record<string, unknown> = { type: 'CUSTOM' }
    circular.self = circular
    const rows: readonly (readonly [code: string, row: unknown])[] = [
      ['INVALID_INPUT', null],
      ['INVALID_INPUT', { event: step('a') }],
      ['INVALID_INPUT', { seq: 0, event: step('a') }],
      ['INVALID_INPUT', { seq: 0.5, event: step('a') }],
      ['INVALID_INPUT', { seq: 1 }],
      ['INVALID_INPUT', { seq: 1, event: step('a'), finishedAt: NaN }],
      ['INVALID_INPUT', { seq: 1, event: step('a'), more: 1 }],
      ['INVALID_EVENT', { seq: 1, event: null }],
      ['INVALID_EVENT', { seq: 1, event: [] }],
      ['INVALID_EVENT', { seq: 1, event: {} }],
      ['INVALID_EVENT', { seq: 1, event: { type: 5 } }],
      ['INVALID_EVENT', { seq: 1, event: { type: '' } }],
      ['INVALID_EVENT', { seq: 1, event: circular }],
      ['INVALID_EVENT', { seq: 1, event: { type: 'CUSTOM', value: 1n } }],
      ['INVALID_EVENT', { seq: 1, event: { type: 'CUSTOM', toJSON: () => 'text' } }],
      ['PAYLOAD_TOO_LARGE', { seq: 1, event: { type: 'CUSTOM', value: '€'.repeat(1_400_000) } }],
    ]
    for (const [code, row] of rows) await assert.rejects(store.append('r', row as NewAgentEventRow), { code })
    assert.deepEqual(await seqsOf(store, 'r'), [])
  })
}
