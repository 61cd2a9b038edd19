import { setImmediate } from 'node:timers/promises'
import type { CrashChild } from './crash-child.ts'

/** The longest that a random kill waits: for so many acknowledgements, and then for so long. */
export interface RandomKillLimits {
  readonly acknowledgements: number
  /** Longer than what the child does between two acknowledgements, so that every part of it is hit. */
  readonly ms: number
}

/** Kills a child in the middle of its work. Rejects when it ends before. */
export async function killAtRandom(child: CrashChild, random: () => number, limits: RandomKillLimits): Promise<void> {
  await child.acknowledged(Math.floor(random() * (limits.acknowledgements + 1)))
  const until = performance.now() + random() * limits.ms
  while (performance.now() < until) await setImmediate()
  await child.kill()
}
