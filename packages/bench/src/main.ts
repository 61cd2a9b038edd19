import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { appendThroughput } from './benches/append-throughput.ts'
import { branchDepth } from './benches/branch-depth.ts'
import { deliveryLatency } from './benches/delivery-latency.ts'
import { diskBytes } from './benches/disk-bytes.ts'
import { eventLoopDelay } from './benches/event-loop-delay.ts'
import { followerMemory } from './benches/follower-memory.ts'
import { fsyncCost } from './benches/fsync-cost.ts'
import { heartbeatCost } from './benches/heartbeat-cost.ts'
import { invocationPage } from './benches/invocation-page.ts'
import { killToClose } from './benches/kill-to-close.ts'
import { logBytes } from './benches/log-bytes.ts'
import { recordingCost } from './benches/recording-cost.ts'
import { recoveryGroups, recoveryTime } from './benches/recovery-time.ts'
import { replayTime } from './benches/replay-time.ts'
import { sdkStreams } from './benches/sdk-streams.ts'
import { stopLatency } from './benches/stop-latency.ts'
import { type BenchResult, meetsTarget } from './measure/result.ts'
import { withTemporaryFolder } from './measure/temporary-folder.ts'
import { writeHistory } from './raw/history.ts'

const options = readOptions()

function readOptions(): { readonly json?: string | undefined } {
  try {
    return parseArgs({ options: { json: { type: 'string' } } }).values
  } catch (error) {
    console.error(
      `${(error as Error).message}\n\nnpm run bench -- [--json FILE]   takes some minutes; FILE gets the results`,
    )
    process.exit(2)
  }
}

const results: BenchResult[] = []
function report(more: readonly BenchResult[]): void {
  for (const result of more) {
    results.push(result)
    console.log(`${line(result)}${verdict(result)}`)
  }
}

function line({ name, value, unit }: BenchResult): string {
  return `${name.padEnd(84)} ${value.toLocaleString('en', { maximumSignificantDigits: 4 }).padStart(10)} ${unit.padEnd(9)}`
}

function verdict(result: BenchResult): string {
  const { target } = result
  if (target === undefined) return ''
  const wanted = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${Number(target.atMost.toPrecision(3))}`
  return `${meetsTarget(result) === true ? 'meets' : 'misses'} ${wanted}`
}

const fsync = await fsyncCost()
report(fsync)
report(await diskBytes())
report(await logBytes())
report(await eventLoopDelay(fsync[0]?.value ?? 0))
report(await appendThroughput())
report(await heartbeatCost())
report(await recordingCost())
report(await sdkStreams())
report(await deliveryLatency())
report(await replayTime())
report(await followerMemory())
report(await stopLatency())
report(await killToClose())
report(await branchDepth())
await withTemporaryFolder(async (root) => {
  await writeHistory(root, { events: 1_000_000, groups: recoveryGroups })
  report(await invocationPage(root))
  report(await recoveryTime(root))
})
report([{ name: 'peak memory of this benchmark', value: process.resourceUsage().maxRSS / 1024, unit: 'MiB' }])

if (options.json !== undefined) {
  const machine = { node: process.version, platform: `${process.platform} ${process.arch}`, cores: cpus().length }
  await writeFile(options.json, `${JSON.stringify({ machine, results }, null, 2)}\n`)
}
