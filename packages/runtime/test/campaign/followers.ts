/** Who writes to, follows and sweeps the delivery logs of one file in several processes, some of which are killed. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { AGENT_EVENT_SWEEP_CLAIM_MS } from '@daybook/core'
import { AGENT_EVENT_TTL_MS, AgentEventLog, type SweepReport } from '@daybook/runtime/agent-event-log'
import { createSqliteAgentEventStore } from '@daybook/storage/agent-event-store'
import { type CrashChild, CrashHarness } from '@daybook/testing'
import type { AgentEventProcessInput, AgentEventReport, FollowReport, Left } from '../agent-event-process.ts'
import { finished, header, started } from '../agent-event-samples.ts'
import { temporaryFolder } from '../storages.ts'
import { takeAll } from '../take.ts'

/** `.ci/campaigns/50-followers.sh` asks for 1000 followers, and for more rounds. */
const followers = Number(process.env.DAYBOOK_FOLLOWERS ?? 60)
const rounds = Number(process.env.DAYBOOK_FOLLOW_ROUNDS ?? 1)
/** By this clock everything is over. */
const later = Date.now() + 30 * AGENT_EVENT_TTL_MS

const folder = temporaryFolder()
const harness = new CrashHarness()
const store = createSqliteAgentEventStore(folder.path, { durability: 'normal' })
after(async () => {
  await harness.close()
  store.close?.()
  folder.remove()
})

// The first process compiles for all.
process.env.NODE_COMPILE_CACHE = join(folder.path, 'compile-cache')

let runs = 0
const newRun = (): string => `run-${++runs}`

function start(
  runId: string,
  role: AgentEventProcessInput['role'],
  holdAt: readonly string[] = [],
): CrashChild<AgentEventReport> {
  const input: AgentEventProcessInput = { root: folder.path, runId, role }
  return harness.start(new URL('../agent-event-process.ts', import.meta.url), { input, holdAt })
}

/** Lets a process come to its end, at which it holds nothing more; gives what it told before. */
async function finish(child: CrashChild<AgentEventReport>): Promise<readonly AgentEventReport[]> {
  await child.finish()
  const told = child.acknowledgements.slice(0, -1)
  const { left } = child.acknowledgements.at(-1) as Left
  assert.deepEqual(left, { timers: 0, descriptors: 0, resources: [] })
  return told
}

async function followReport(child: CrashChild<AgentEventReport>): Promise<FollowReport> {
  return (await finish(child)).at(-1) as FollowReport
}

const upTo = (last: number, first: number = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

for (let round = 1; round <= rounds; round++) {
  describe(`processes on the logs of one file, round ${round}`, () => {
    test('a producer is killed while three follow: they see every row, and the end that another process writes', async () => {
      const runId = newRun()
      const producer = start(runId, { kind: 'write', name: 'a', steps: 1e6, ends: true })
      await producer.acknowledged(3)
      const following = [0, 2, 4].map((after) => start(runId, { kind: 'follow', after, followers: 1 }))
      await Promise.all(following.map((child) => child.acknowledged(1)))
      await producer.acknowledged(producer.acknowledgements.length + 20)
      await producer.kill()
      const log = new AgentEventLog(store)
      const last = (await log.append(runId, { type: 'RUN_ERROR', message: 'killed' }, Date.now()))!
      const stored = new Set((await takeAll(log.subscribe(runId, 0))).map(({ seq }) => seq))
      for (const acknowledged of producer.acknowledgements) assert.ok(stored.has((acknowledged as { seq: number }).seq))
      for (const [index, child] of following.entries()) {
        const { seqs, end, listeners } = await followReport(child)
        assert.deepEqual(seqs, upTo(last, index * 2 + 1))
        assert.deepEqual([end, listeners], [{ end: 'terminal', lastSeq: last }, 0])
      }
    })

    test(`${followers} followers join and leave a run that another process writes`, async () => {
      const runId = newRun()
      const log = new AgentEventLog(store)
      await log.open(header(runId))
      await log.record(runId, started, 1)
      const following = start(runId, { kind: 'follow', after: 0, followers })
      await following.acknowledged(1)
      const writer = start(runId, { kind: 'write', name: 'a', steps: 50, ends: false })
      await finish(writer)
      const last = (await log.append(runId, finished, 1))!
      const { seqs, end, others, listeners } = await followReport(following)
      assert.deepEqual(seqs, upTo(last))
      assert.deepEqual([end, others, listeners], [{ end: 'terminal', lastSeq: last }, Math.ceil(followers / 3) - 1, 0])
    })

    test('three write to one run at once, and nothing is lost or out of order', async () => {
      const runId = newRun()
      const log = new AgentEventLog(store)
      await log.open(header(runId))
      const writers = ['a', 'b', 'c'].map((name) => start(runId, { kind: 'write', name, steps: 20, ends: false }))
      await Promise.all(writers.map(finish))
      await log.record(runId, finished, 1)
      const rows = await log.read(runId)
      assert.deepEqual(
        rows.map(({ seq }) => seq),
        upTo(121),
      )
      for (const name of ['a', 'b', 'c']) {
        const names = rows
          .map(({ event }) => event.stepName)
          .filter((stepName) => {
            return typeof stepName === 'string' && stepName.startsWith(`${name} `)
          })
        assert.deepEqual(
          names,
          Array.from({ length: 20 }, (_, count) => `${name} ${count}`),
        )
      }
    })

    for (const everyThird of ['fails', 'reply lost'] as const) {
      test(`one writes where every third write ${everyThird === 'fails' ? 'fails' : 'has no reply'}: all is there once, and followed`, async () => {
        const runId = newRun()
        await new AgentEventLog(store).open(header(runId))
        const following = start(runId, { kind: 'follow', after: 0, followers: 1 })
        const writer = start(runId, { kind: 'write', name: 'a', steps: 30, ends: true, everyThird })
        const told = await finish(writer)
        const { seqs, end } = await followReport(following)
        const rows = await takeAll(new AgentEventLog(store).subscribe(runId, 0))
        const steps = rows.filter(({ event }) => event.type === 'STEP_STARTED')
        assert.deepEqual(
          steps.map(({ event }) => event.stepName),
          Array.from({ length: 30 }, (_, count) => `a ${count}`),
        )
        assert.deepEqual(
          told,
          steps.map(({ seq }) => ({ seq })),
        )
        assert.equal(
          rows.map(({ event }) => (typeof event.delta === 'string' ? event.delta : '')).join(''),
          'word '.repeat(30),
        )
        assert.deepEqual([seqs, end], [upTo(rows.length), { end: 'terminal', lastSeq: rows.length }])
      })
    }

    test('two sweep at once: each run is removed once, and who follows one is told', async () => {
      await new AgentEventLog(store).sweep(later)
      const log = new AgentEventLog(store)
      const runIds = Array.from({ length: 30 }, newRun)
      for (const [index, runId] of runIds.entries()) {
        await log.open(header(runId))
        await log.record(runId, index % 2 === 0 ? finished : started, 1)
      }
      const [, live] = runIds
      const following = start(live!, { kind: 'follow', after: 0, followers: 1 })
      await following.acknowledged(1)
      const sweepers = [0, 1].map(() => start('', { kind: 'sweep', now: later }))
      const reports = (await Promise.all(sweepers.map(finish))).flat() as SweepReport[]
      assert.deepEqual(
        reports.flatMap(({ failed }) => failed),
        [],
      )
      assert.equal(
        reports.reduce((sum, { removed }) => sum + removed, 0),
        runIds.length,
      )
      for (const runId of runIds) assert.equal(await log.header(runId), undefined)
      const { end, listeners } = await followReport(following)
      assert.ok(['terminal', 'removed'].includes(end.end))
      assert.equal(listeners, 0)
    })

    test('a sweeper is killed between claim and removal: another removes the run once the claim has expired', async () => {
      const log = new AgentEventLog(store)
      const runId = newRun()
      await log.open(header(runId))
      const sweeper = start('', { kind: 'sweep', now: later }, ['claimed'])
      await sweeper.held()
      await sweeper.kill()
      assert.equal(await log.sweep(later + AGENT_EVENT_SWEEP_CLAIM_MS - 1), 0)
      assert.equal(await log.sweep(later + AGENT_EVENT_SWEEP_CLAIM_MS), 1)
      assert.equal(await log.header(runId), undefined)
    })

    test('one that only waits ends by itself: nothing that a log begins keeps a process alive', async () => {
      const idle = start(newRun(), { kind: 'idle' })
      await idle.finish()
      assert.deepEqual(idle.acknowledgements, [{ outcome: 'buffered' }])
    })
  })
}
