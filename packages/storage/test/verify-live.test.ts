import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { OpenedStorage } from '@daybook/core'
import {
  answerEvent,
  append,
  askEvent,
  idsOf,
  openRun,
  terminalEvent,
  textEvent,
  wholeRun,
} from '../src/conformance/samples.ts'
import { toldRun } from '../src/conformance/verify-logs.ts'
import { memoryWorld, sqliteWorld } from './worlds.ts'

for (const [driver, openWorld] of Object.entries({ memory: memoryWorld, sqlite: sqliteWorld })) {
  test(`${driver}: verify takes for no fault what happens while it reads`, async () => {
    const world = openWorld()
    const { storage } = world
    let working = true
    const work = Promise.all(['a', 'b'].map((sessionId) => write(storage, sessionId))).finally(() => (working = false))
    let verified = 0
    while (working) {
      await setImmediate()
      const { problems } = await storage.events.verifyStore()
      assert.deepEqual(problems, [])
      verified += 1
    }
    await work
    assert.ok(verified > 5)
    world.dispose()
  })
}

/**
 * Opens, fills (with more than verify reads at once) and ends runs that ask and are answered, and removes a session each
 * time; beside each of them runs have logs, of which some are trimmed or removed.
 */
async function write(storage: OpenedStorage, sessionId: string): Promise<void> {
  for (let number = 0; number < 2; number += 1) {
    const ids = idsOf(sessionId, `${sessionId} ${number}`)
    await openRun(storage, ids)
    for (let index = 0; index < 120; index += 1) {
      const requestId = `${number} ${index}`
      await append(storage, ids, [textEvent(ids, `e${index}`), askEvent(ids, requestId)])
      await setImmediate()
      const told = idsOf(`told ${sessionId}`, `told by ${ids.invocationId} ${index}`)
      if (index % 10 === 0) await toldRun(storage, told)
      if (index % 30 === 0) await storage.agentEvents.trim(told.runId, 2 + (index % 3))
      if (index % 20 === 0) await storage.agentEvents.remove(told.runId)
      if (index % 2 === 0) await append(storage, ids, [answerEvent(ids, requestId)])
    }
    await append(storage, ids, [terminalEvent(ids)])
    const passing = `passing ${ids.invocationId}`
    await wholeRun(storage, idsOf(passing, passing))
    await setImmediate()
    await storage.sessions.remove(passing, { tenant: null })
  }
}
