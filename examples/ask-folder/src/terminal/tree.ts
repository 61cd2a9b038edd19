import { cleanLine } from '@daybook/cli'
import type { SessionRecord } from '@daybook/core'
import { shortId } from './short-id.ts'
import { shorten } from './width.ts'

/** Sessions with what is told of each, branches below their parents, each on one line of at most `columns`. */
export function drawTree(
  sessions: readonly Pick<SessionRecord, 'id' | 'parentSessionId'>[],
  about: readonly string[],
  columns: number,
): string[] {
  const known = new Set(sessions.map(({ id }) => id))
  const childrenOf = Map.groupBy(sessions.keys(), (at) => {
    const { parentSessionId: parent } = sessions[at]!
    return parent !== null && known.has(parent) ? parent : undefined
  })
  const lines: string[] = []
  // A stack of its own, as chains of branches may be long.
  const left = (childrenOf.get(undefined) ?? []).map((at) => ({ at, depth: 0 })).reverse()
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { at, depth } = next
    const { id } = sessions[at]!
    const place = depth === 0 ? '' : `${'  '.repeat(Math.min(depth, 10) - 1)}└ `
    lines.push(shorten(`${place}${shortId(id)}  ${cleanLine(about[at] ?? '')}`, columns))
    left.push(...(childrenOf.get(id) ?? []).map((child) => ({ at: child, depth: depth + 1 })).reverse())
  }
  return lines
}
