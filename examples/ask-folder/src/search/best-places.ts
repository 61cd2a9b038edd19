import { type Candidate, reach } from './scan-file.ts'

/** Keeps what may be among the best: of candidates that are equally good, only as many as are wanted. */
export class BestPlaces {
  readonly #limit: number
  readonly #last: boolean
  // Of lines close together one is chosen, so this many give enough.
  readonly #kept: number
  readonly #alike = new Map<string, Candidate[]>()

  constructor(limit: number, last: boolean) {
    this.#limit = limit
    this.#last = last
    this.#kept = limit * (reach + 1)
  }

  add(candidate: Candidate): void {
    const key = `${candidate.found.join()} ${candidate.factor}`
    const alike = this.#alike.get(key) ?? []
    this.#alike.set(key, alike)
    if (alike.length === this.#kept && !this.#last) return
    alike.push(candidate)
    if (alike.length > this.#kept) alike.shift()
  }

  /** The best by the weights of the words; of lines close together only the best one. */
  choose(weights: readonly number[]): Candidate[] {
    const value = ({ found, factor }: Candidate): number =>
      factor * found.reduce((sum, part, word) => sum + part * (weights[word] ?? 0), 0)
    const all = [...this.#alike.values()].flatMap((alike) => (this.#last ? alike.toReversed() : alike))
    const scored = all.map((candidate) => ({ candidate, value: value(candidate) })).sort((a, b) => b.value - a.value)
    const chosen: Candidate[] = []
    for (const { candidate } of scored) {
      const { path, line } = candidate
      if (chosen.length === this.#limit) break
      if (!chosen.some((one) => one.path === path && Math.abs(one.line - line) <= reach)) chosen.push(candidate)
    }
    return chosen
  }
}
