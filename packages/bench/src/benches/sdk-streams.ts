import { setTimeout as delay } from 'node:timers/promises'
import { aiSdkBackend } from '@daybook/ai-sdk'
import { openSqlite } from '@daybook/storage'
import { type LanguageModel, streamText } from 'ai'
import { cpuUs } from '../measure/cpu.ts'
import { interleaveFigures } from '../measure/interleave.ts'
import { percentile } from '../measure/percentile.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { openManager } from './open-manager.ts'
import { pacedModel } from './paced-model.ts'

const rounds = 5
const streams = 64
const pace = { parts: 200, everyMs: 10 }
const parts = streams * pace.parts

/** Reads a stream of the model to its end, and says of each part how late it came, in ms. */
type ReadStream = (model: LanguageModel, tellLateness: (ms: number) => void) => Promise<void>

interface Figures {
  readonly completionMs: number
  readonly latenessMs: number
  readonly cpuUsPerPart: number
}

/**
 * 64 models that send 100 parts a second each, whoever reads them: through the session manager with the ledger and the
 * delivery log on SQLite, against `streamText` of the AI SDK alone.
 */
export async function sdkStreams(): Promise<BenchResult[]> {
  const figures = await interleaveFigures(rounds, { alone, recorded })
  const name = `${streams} streams of ${1000 / pace.everyMs} parts/s`
  return [
    {
      name: `${name}: completion against the AI SDK alone`,
      value: figures.recorded.completionMs / figures.alone.completionMs,
      unit: '×',
      target: { atMost: 1.1 },
    },
    { name: `${name}: lateness of a part, p99`, value: figures.recorded.latenessMs, unit: 'ms' },
    { name: `${name}: lateness of a part, p99, AI SDK alone`, value: figures.alone.latenessMs, unit: 'ms' },
    { name: `${name}: CPU of a part`, value: figures.recorded.cpuUsPerPart, unit: 'µs CPU' },
    { name: `${name}: CPU of a part, AI SDK alone`, value: figures.alone.cpuUsPerPart, unit: 'µs CPU' },
  ]
}

function alone(): Promise<Figures> {
  return measure(async (model, tellLateness) => {
    for await (const part of streamText({ model, prompt: 'go on' }).stream) {
      if (part.type === 'text-delta') tellLateness(performance.now() - Number(part.text))
    }
  })
}

function recorded(): Promise<Figures> {
  return withTemporaryFolder(async (root) => {
    const storage = openSqlite(root)
    const models = new Map<string, LanguageModel>()
    const backend = aiSdkBackend({ model: ({ id }) => models.get(id)! })
    const manager = openManager(storage, backend, { agentEventStore: storage.agentEvents })
    const sessions = await Promise.all(
      Array.from({ length: streams }, () => manager.createSession({ backend: 'scripted' })),
    )
    const figures = await measure(async (model, tellLateness) => {
      const { id } = sessions.pop()!
      models.set(id, model)
      for await (const event of manager.sendMessage(id, { text: 'go on' })) {
        if (event.type === 'text_delta') tellLateness(performance.now() - Number(event.text))
      }
    })
    await manager.close()
    storage.close()
    return figures
  })
}

async function measure(read: ReadStream): Promise<Figures> {
  const lateness: number[] = []
  const [started, cpuBefore] = [performance.now(), cpuUs()]
  await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      // Otherwise all parts of the same place would come at once.
      await delay((index * pace.everyMs) / streams)
      await read(pacedModel(pace), (ms) => lateness.push(ms))
    }),
  )
  const completionMs = performance.now() - started
  if (lateness.length !== parts) throw new Error(`${lateness.length} of ${parts} parts came`)
  return { completionMs, latenessMs: percentile(lateness, 0.99), cpuUsPerPart: (cpuUs() - cpuBefore) / parts }
}
