/** The child of `crash.test.ts`: does what its input says. */
import { acknowledge, childInput, CrashHarness, reachPoint } from '@daybook/testing'

const behaviours: Readonly<Record<string, () => unknown>> = {
  acknowledgesThree() {
    for (const value of [1, { two: '2\n' }, null]) acknowledge(value)
  },
  acknowledgesForEver() {
    for (let count = 1; ; count++) acknowledge(count)
  },
  reachesPoints() {
    for (const name of ['a', 'b', 'a']) {
      reachPoint(name)
      acknowledge(`after ${name}`)
    }
  },
  fails() {
    console.log('so far so good')
    throw new Error('boom')
  },
  hangs() {
    setInterval(() => {}, 60_000)
    acknowledge(process.pid)
  },
  /** Has a child of its own that hangs, and pauses it where the input says so. */
  async hasChild() {
    const child = new CrashHarness().start(new URL(import.meta.url), { input: ['hangs'] })
    await child.acknowledged(1)
    if (modifiers.includes('paused')) await child.pause()
    acknowledge(child.pid)
  },
}

const [name = '', ...modifiers] = childInput() as string[]
await behaviours[name]?.()
