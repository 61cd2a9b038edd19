import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SessionRecord } from '@daybook/core'
import type { AgentBackend, BackendFactory } from '@daybook/core/backend-types'
import { BackendRegistry } from './backend-registry.ts'

const context = { sessionId: 'a', session: { id: 'a' } as SessionRecord }

describe('BackendRegistry', () => {
  test('names the known kinds when it is asked for another one', () => {
    const registry = new BackendRegistry()
    assert.throws(() => registry.check('c'), { code: 'UNKNOWN_BACKEND', message: /"c" .* known kinds: none/ })
    for (const kind of ['a', 'b']) registry.register(kind, () => ({}) as AgentBackend)
    assert.throws(() => registry.check('c'), { code: 'UNKNOWN_BACKEND', message: /known kinds: a, b/ })
  })

  test('refuses a kind that is no id, and a factory that is no function', () => {
    const registry = new BackendRegistry()
    const factory: BackendFactory = () => ({}) as AgentBackend
    assert.throws(() => registry.register('', factory), { code: 'INVALID_ID', field: 'kind' })
    assert.throws(() => registry.register('a', {} as BackendFactory), { code: 'INVALID_INPUT', message: /"a"/ })
    assert.ok(!registry.has('a'))
  })

  test('builds by what was registered last for a kind, and leaves what was built before', async () => {
    const registry = new BackendRegistry()
    const backend = (name: string): AgentBackend => ({ kind: name, send() {}, stop() {}, dispose() {} }) as never
    registry.register('a', () => backend('first'))
    const first = await registry.build('a', context)
    registry.register('a', () => backend('second'))
    assert.deepEqual([first.kind, (await registry.build('a', context)).kind], ['first', 'second'])
  })

  test('says which method is missing of what a factory returns', async () => {
    const registry = new BackendRegistry()
    const send = (): never => assert.fail('send was called')
    const cases: [unknown, RegExp][] = [
      [undefined, /"odd" returned no backend: it has no method "send"/],
      ['text', /"send"/],
      [{ send }, /"stop"/],
      [{ send, stop: send }, /"dispose"/],
    ]
    for (const [backend, message] of cases) {
      registry.register('odd', () => backend as AgentBackend)
      await assert.rejects(registry.build('odd', context), { code: 'INVALID_INPUT', message })
    }
  })
})
