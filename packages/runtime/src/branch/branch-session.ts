import {
  InvalidInputError,
  type RunRecord,
  type SessionRecord,
  type SessionScope,
  TurnNotFoundError,
} from '@daybook/core'
import { runEventPages } from '../ledger/run-events.ts'
import { type CreateSessionInput, sessionFromInput } from '../session/create-session.ts'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { endUnlessDriven } from '../turn/newest-run.ts'
import { firstSeq } from './first-seq.ts'
import { parentsOf } from './inherited-events.ts'

/** Where a branch leaves the conversation: right after a turn, or right before it. */
export type BranchPoint = { readonly after: string } | { readonly before: string }

/** What the branch has in place of what its session has. */
export type BranchOverrides = Omit<CreateSessionInput, 'tenant'>

export async function branchSession(
  sessionId: string,
  point: BranchPoint,
  overrides: BranchOverrides,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<SessionRecord> {
  const { turnId, side } = checkPoint(point)
  const { store, registry, newId, now } = context
  const session = await findSession(store, sessionId, scope)
  const { title, cwd, llmConnectionSlug, model, permissionMode, permissionRules, settings, labels, subject } = session
  const inherited = { title, cwd, llmConnectionSlug, model, permissionMode, permissionRules, settings, labels, subject }
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined)
  const input = { ...inherited, backend: session.backendKind, ...Object.fromEntries(given) } as CreateSessionInput
  const branch = sessionFromInput(input, newId(), now())
  if (overrides.backend !== undefined) registry.check(branch.backendKind)
  const place = await placeOf(session, turnId, side, context)
  return store.create({ ...branch, tenant: session.tenant, ...place })
}

type Side = 'after' | 'before'
type Place = Pick<SessionRecord, 'parentSessionId' | 'parentSessionSeq'>

function checkPoint(point: Partial<Record<Side, string>>): { readonly turnId: string; readonly side: Side } {
  const { after, before } = point ?? {}
  if (typeof after === 'string' && before === undefined) return { turnId: after, side: 'after' }
  if (typeof before === 'string' && after === undefined) return { turnId: before, side: 'before' }
  throw new InvalidInputError('point', 'must be { after: turnId } or { before: turnId }')
}

/** In the session that has the turn, which may be a parent. */
async function placeOf(session: SessionRecord, turnId: string, side: Side, context: RuntimeContext): Promise<Place> {
  const own = await positionIn(session.id, Infinity, turnId, side, context)
  if (own !== undefined) return placeIn(session, own)
  for await (const { parent, upTo } of parentsOf(session, context.store)) {
    const position = await positionIn(parent.id, upTo, turnId, side, context)
    if (position !== undefined) return placeIn(parent, position)
  }
  throw new TurnNotFoundError(session.id, turnId)
}

/** What shows nothing of a branch itself refers to the parent of that: who edits a message over and over makes no chain. */
function placeIn({ id, parentSessionId, parentSessionSeq }: SessionRecord, position: number): Place {
  const isParents = position === 0 && parentSessionId !== null
  return isParents ? { parentSessionId, parentSessionSeq } : { parentSessionId: id, parentSessionSeq: position }
}

/** Undefined where the session has no such turn among its first events. Throws `SessionBusyError` after one that runs. */
async function positionIn(
  sessionId: string,
  upTo: number,
  turnId: string,
  side: Side,
  context: RuntimeContext,
): Promise<number | undefined> {
  const runs = await context.runStore.listTurnRuns(sessionId, turnId)
  const openings = await Promise.all(runs.map((run) => firstSeq(run, context)))
  const [first] = openings
  if (first === undefined || first > upTo) return undefined
  if (side === 'before') return first - 1
  const newest = runs[openings.findLastIndex((opening) => opening <= upTo)]!
  if (newest.finishedAt === null) await endUnlessDriven(newest, context)
  return Math.min(upTo, await lastSeq(newest, context))
}

async function lastSeq({ runId }: RunRecord, { runtimeEventStore }: RuntimeContext): Promise<number> {
  let last = 0
  for await (const events of runEventPages(runtimeEventStore, runId)) last = events.at(-1)?.sessionSeq ?? last
  return last
}
