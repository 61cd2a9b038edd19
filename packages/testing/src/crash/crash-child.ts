import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type ChildMessage, pipeDescriptor } from './child-protocol.ts'

/** How much of what a child prints is kept for error messages, in characters. */
const maxOutput = 16_384

/** A process that the crash harness started. What waits for it rejects, with what it printed, when it ends otherwise. */
export class CrashChild<Acknowledgement = unknown> {
  readonly pid: number
  /** Everything that it acknowledged so far, in order; after its end, everything that it ever did. */
  readonly acknowledgements: readonly Acknowledgement[]
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>
  readonly #process: ChildProcess
  readonly #pipe: Socket
  #heldAt: string | undefined
  #output = ''
  #end: string | undefined
  #waiting: (() => void)[] = []

  constructor(child: ChildProcess, pid: number, timeoutMs: number) {
    this.pid = pid
    this.#process = child
    this.#pipe = child.stdio[pipeDescriptor] as Socket
    const acknowledgements: Acknowledgement[] = []
    this.acknowledgements = acknowledgements
    onLine(this.#pipe, (line) => {
      const message = JSON.parse(line) as ChildMessage
      if ('heldAt' in message) this.#heldAt = message.heldAt
      else acknowledgements.push(message.acknowledged as Acknowledgement)
      this.#wake()
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-maxOutput)
      })
    }
    const timer = setTimeout(() => {
      this.#end = `killed after ${timeoutMs} ms`
      child.kill('SIGKILL')
    }, timeoutMs)
    this.ended = new Promise((resolve) => {
      // Not before the pipe is read to its end.
      child.on('close', (code, signal) => {
        clearTimeout(timer)
        this.#end ??= signal ?? `exit code ${code}`
        this.#wake()
        resolve()
      })
    })
  }

  /** Waits until it has acknowledged so many. */
  async acknowledged(count: number): Promise<void> {
    await this.#until(() => this.acknowledgements.length >= count)
  }

  /** Waits until it is held at a point, and tells which. */
  async held(): Promise<string> {
    await this.#until(() => this.#heldAt !== undefined)
    return this.#heldAt!
  }

  /** Lets it go on from the point where it is held. */
  goOn(): void {
    if (this.#heldAt === undefined) throw new Error('the child is not held at a point')
    this.#heldAt = undefined
    this.#pipe.write('\n')
  }

  /** Stops it by SIGSTOP. On Linux it has stopped when this resolves. */
  async pause(): Promise<void> {
    this.#process.kill('SIGSTOP')
    while (isAtWork(this.pid)) await setImmediate()
  }

  /** Lets it go on after a pause, by SIGCONT. */
  resume(): void {
    this.#process.kill('SIGCONT')
  }

  /** Kills it by SIGKILL, wherever it is, and waits for its end. Rejects when it had ended by itself. */
  kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    return this.#endsBy('SIGKILL')
  }

  /** Waits for its end. Rejects unless it ends by itself with exit code 0. */
  finish(): Promise<void> {
    return this.#endsBy('exit code 0')
  }

  async #endsBy(expected: string): Promise<void> {
    await this.ended
    if (this.#end !== expected) throw this.#error()
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#end !== undefined) throw this.#error()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #error(): Error {
    return new Error(`the child has ended: ${this.#end}\n${this.#output}`)
  }
}

/** A line that was cut off at the end was not said. */
function onLine(stream: Socket, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
  // A child that is killed may reset the pipe; its end says what there is to say.
  stream.on('error', () => {})
}

/** Running, or waiting for something, by the state in `/proc`; false where the system does not tell. */
function isAtWork(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return /^[RSD]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}
