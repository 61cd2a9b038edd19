import { openSqlite } from '@daybook/storage'
import { interleave } from '../measure/interleave.ts'
import { median } from '../measure/median.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { branchChain, branchedTurn } from '../raw/branch-chain.ts'
import { openManager } from './open-manager.ts'
import { scriptedBackend } from './scripted-backend.ts'

const rounds = 5
const pagesPerRound = 50
const depth = 10_000
const shallow = 50
const branches = 1000

/** The newest page of what a branch shows at the end of a long chain and of a short one, and of the branches of one session. */
export async function branchDepth(): Promise<BenchResult[]> {
  return withTemporaryFolder(async (root) => {
    const storage = openSqlite(root, { durability: 'normal' })
    const manager = openManager(storage, scriptedBackend(1, 10))
    const chain = await branchChain(storage, manager, depth)
    const [few, many, leaf] = [chain[0]!, chain[1]!, chain.at(-1)!]
    for (let branch = 2; branch <= branches; branch += 1) await manager.branchSession(many, { after: branchedTurn })
    for (let branch = 2; branch <= shallow; branch += 1) await manager.branchSession(few, { after: branchedTurn })

    const shown = (sessionId: string) => medianMs(() => manager.transcriptPage(sessionId, { limit: 20 }))
    const listed = (sessionId: string) => medianMs(() => manager.listBranches(sessionId, { limit: 20 }))
    const figures = await interleave(rounds, {
      short: () => shown(chain[shallow - 1]!),
      long: () => shown(leaf),
      few: () => listed(few),
      many: () => listed(many),
    })

    const started = performance.now()
    const turn = await manager.startTurn(leaf, { text: 'and now?' })
    const { state } = await turn.finished
    const turnMs = performance.now() - started
    if (state !== 'completed') throw new Error(`the turn at depth ${depth} has ${state}`)
    const turns = (await manager.transcript(leaf)).length
    if (turns !== depth + 1) throw new Error(`${turns} turns are shown at depth ${depth}`)
    await manager.close()
    storage.close()
    return [
      { name: 'a page of 20 turns at the end of 10,000 branches', value: figures.long, unit: 'ms' },
      {
        name: 'a page of 20 turns, after 10,000 branches against 50',
        value: figures.long / figures.short,
        unit: '×',
        target: { atMost: 1.5 },
      },
      {
        name: 'a page of 20 branches, of 1,000 against of 50',
        value: figures.many / figures.few,
        unit: '×',
        target: { atMost: 1.5 },
      },
      { name: 'a turn at the end of 10,000 branches, which reads them all', value: turnMs, unit: 'ms' },
    ]
  })
}

async function medianMs(read: () => Promise<unknown>): Promise<number> {
  const elapsedMs: number[] = []
  for (let page = 0; page < pagesPerRound; page += 1) {
    const started = performance.now()
    await read()
    elapsedMs.push(performance.now() - started)
  }
  return median(elapsedMs)
}
