import {
  type CheckedSearch,
  matchesSearch,
  type Page,
  saidHit,
  saidText,
  searchCursor,
  type SearchHit,
  type SearchPosition,
  type SessionRecord,
  titleHit,
} from '@daybook/core'
import { decodeRow } from '../events/decode-row.ts'
import type { MemoryLedger, MemoryRow, MemorySession } from '../ledger.ts'

/** Something that matches; `hit` makes of it what is given out. */
interface Match extends SearchPosition {
  hit(): SearchHit
}

/** Reads all that the tenant has: there is no index in memory. */
export function search(ledger: MemoryLedger, { tenant, words, limit, after }: CheckedSearch): Page<SearchHit, string> {
  const matches = [...ledger.sessions.values()]
    .flatMap((session) => (session.record?.tenant === tenant ? [...matchesOf(session.record, session)] : []))
    .sort(compare)
  const rest = after === undefined ? matches : matches.filter((match) => compare(match, after) > 0)
  const last = rest[limit - 1]
  const next = rest.length > limit && last !== undefined ? searchCursor(last) : null
  return { items: rest.slice(0, limit).map((match) => structuredClone(match.hit())), next, floor: 1 }

  function* matchesOf(record: SessionRecord, { number, rows }: MemorySession): Generator<Match> {
    if (matchesSearch(words, record.title ?? '')) yield { of: 'title', number, hit: () => titleHit(words, record) }
    for (const row of rows) {
      const stored = readText(row)
      if (stored === undefined || !matchesSearch(words, saidText(stored.event) ?? '')) continue
      yield { of: 'said', number: row.number, hit: () => saidHit(words, record, stored) }
    }
  }
}

/** A row that holds no event is found by verify, and not by search. */
function readText(row: MemoryRow): ReturnType<typeof decodeRow> | undefined {
  if (row.eventKind !== 'text') return undefined
  try {
    return decodeRow(row)
  } catch {
    return undefined
  }
}

function compare(a: SearchPosition, b: SearchPosition): number {
  return Number(a.of === 'said') - Number(b.of === 'said') || b.number - a.number
}
