import type { AppendEntry, ClaimEntry } from './history-entry.ts'
import type { HistoryFault } from './history-fault.ts'
import { overtaken } from './overtaken.ts'

/** No one wrote under an epoch that another had followed, and no two own a run under the same. */
export function* checkOwners(appends: readonly AppendEntry[], claims: readonly ClaimEntry[]): Generator<HistoryFault> {
  const inTime: (AppendEntry | ClaimEntry)[] = [...claims]
  const inPlace: AppendEntry[] = []
  for (const append of appends) {
    // What was stored before is acknowledged under any epoch.
    const place = append.events.find(({ duplicate }) => !duplicate)?.eventSeq
    if (place === undefined) continue
    inTime.push(append)
    inPlace.push({ ...append, startedAt: place, endedAt: place })
  }
  for (const requests of [inTime, inPlace]) {
    for (const [invocationId, ofOne] of Map.groupBy(requests, (entry) => entry.invocationId)) {
      for (const [earlier, later] of overtaken(ofOne, ({ epoch }) => epoch)) {
        const message = `invocation "${invocationId}": ${later.kind} at epoch ${later.epoch} after one at ${earlier.epoch}`
        yield { code: 'stale_owner', message }
      }
    }
  }
  const claimed = new Set<string>()
  for (const { invocationId, epoch } of claims) {
    const claim = `invocation "${invocationId}" at epoch ${epoch}`
    if (claimed.has(claim)) yield { code: 'claimed_twice', message: claim }
    claimed.add(claim)
  }
}
