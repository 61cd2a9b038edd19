import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ChildStart } from './child-protocol.ts'
import { CrashChild } from './crash-child.ts'
import { guard } from './guardian.ts'

export interface CrashChildOptions {
  /** What `childInput()` gives in the child; made JSON. Default null. */
  readonly input?: unknown
  /** The points at which the child is held, each time it reaches one; it passes all others. Default none. */
  readonly holdAt?: readonly string[]
  /** Options of Node.js. Default those of this process. */
  readonly execArgv?: readonly string[]
  /** After so many ms the child is killed, and what waits for it rejects. Default 60,000. */
  readonly timeoutMs?: number
}

/** Starts processes that are there to be killed. They end with `close`, and at the latest with this process. POSIX only. */
export class CrashHarness {
  readonly #children = new Set<CrashChild>()

  /** Runs a module in a process of its own. In it `childInput`, `acknowledge` and `reachPoint` speak to this child. */
  start<Acknowledgement = unknown>(module: URL, options: CrashChildOptions = {}): CrashChild<Acknowledgement> {
    const { input = null, holdAt = [], execArgv = process.execArgv, timeoutMs = 60_000 } = options
    const start: ChildStart = { input, holdAt }
    // Else a child that uses the test runner of Node.js takes itself for a part of this test.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const started = spawn(process.execPath, [...execArgv, fileURLToPath(module), JSON.stringify(start)], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env,
    })
    if (started.pid === undefined) throw new Error(`${process.execPath} cannot be started`)
    const release = guard(started.pid)
    const child = new CrashChild<Acknowledgement>(started, started.pid, timeoutMs)
    this.#children.add(child)
    void child.ended.then(() => {
      release()
      this.#children.delete(child)
    })
    return child
  }

  /** Kills what still runs, and waits for its end. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#children].map((child) => child.kill()))
  }
}
