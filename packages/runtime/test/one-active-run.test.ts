import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type { TurnMessage } from '@daybook/runtime/session-manager'
import { histories } from './histories.ts'
import { openManager, type TestManager } from './open-manager.ts'
import { aborted, eventsOf, type Script } from './scripted-backend.ts'
import { storageKinds, type TestStorage } from './storages.ts'
import { unlessStuck } from './unless-stuck.ts'

const manager = fc.constantFrom(0, 1)
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('start', 'start', 'attach'),
      manager,
      turnId: fc.constantFrom('t', 'T', '\u{10000}', '\uffff'),
      text: fc.constantFrom('yes', 'no'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('complete', 'stop') }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

for (const { name, open } of storageKinds) {
  describe(`every history of messages on ${name}`, () => {
    let opened: TestStorage
    before(() => (opened = open()))
    after(() => opened.dispose())

    test('promise 10: one run is active at a time, and a turn id is used once', () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), (steps) => unlessStuck(() => play(opened, steps))),
        { numRuns: histories },
      ))
  })
}

interface UsedTurn {
  readonly text: string
  readonly owner: TestManager
  state: string
}

async function play({ storage }: TestStorage, steps: readonly Step[]): Promise<void> {
  let gate = Promise.withResolvers<void>()
  const script: Script = async function* ({ turnId, abortSignal }) {
    const say = eventsOf(turnId)
    yield say.text('listening')
    await Promise.race([gate.promise, aborted(abortSignal)])
    yield say.complete()
  }
  const managers = [await openManager(storage, script), await openManager(storage, script)] as const
  const { id } = managers[0].session
  const used = new Map<string, UsedTurn>()
  let active: UsedTurn | undefined

  for (const step of steps) {
    if ('turnId' in step) {
      const owner = managers[step.manager]!
      const start = step.do === 'attach' ? attachAndLeave : startTurn
      const before = used.get(step.turnId)
      if (before !== undefined) {
        const sameInput = before.text === step.text
        await assert.rejects(start(owner, id, step), { code: 'TURN_EXISTS', state: before.state, sameInput })
      } else if (active !== undefined) {
        await assert.rejects(start(owner, id, step), { code: 'SESSION_BUSY' })
      } else {
        gate = Promise.withResolvers()
        await start(owner, id, step)
        active = { text: step.text, owner, state: 'running' }
        used.set(step.turnId, active)
      }
    } else if (active !== undefined) {
      if (step.do === 'stop') await active.owner.manager.stopSession(id)
      gate.resolve()
      while ((await storage.runs.readActiveRun(id)) !== undefined) await setImmediate()
      active.state = step.do === 'stop' ? 'aborted' : 'completed'
      active = undefined
    }
  }
  for (const { manager } of managers) await manager.close()
  if (active !== undefined) active.state = 'aborted'

  const states = (await storage.events.listSessionInvocations(id)).map(({ turnId, terminalEvent }) => [
    turnId,
    terminalEvent?.status,
  ])
  assert.deepEqual(
    new Map(states as [string, string][]),
    new Map([...used].map(([turnId, { state }]) => [turnId, state])),
  )
  assert.equal(states.length, used.size)
  const report = await storage.events.verifySession(id)
  assert.deepEqual([report.problems, report.notes], [[], []])
}

async function startTurn({ manager }: TestManager, sessionId: string, message: TurnMessage): Promise<void> {
  await manager.startTurn(sessionId, message)
}

/** Takes the first event, then lets the turn run on. */
async function attachAndLeave({ manager }: TestManager, sessionId: string, message: TurnMessage): Promise<void> {
  const events = manager.sendMessage(sessionId, { ...message, onLeave: 'detach' })
  await events.next()
  await events.return?.()
}
