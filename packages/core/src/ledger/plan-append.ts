import { EventIdConflictError, InvalidEventError, RunSealedError, StaleOwnerError } from '../errors/index.ts'
import type { AppendedEvent } from '../ports/runtime-event-store.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../runtime-event/terminal.ts'
import { type EncodedEvent, isOpening, stampTerminal } from './encoded-event.ts'
import { type ChainedRow, chainLedgerDigest, emptyLedgerDigest } from './ledger-digest.ts'
import { type Sha256, sha256Pattern } from './sha256.ts'

/** What a store keeps beside the events of an invocation, so that an append need not read them. */
export interface InvocationHead {
  readonly invocationId: string
  readonly sessionId: string
  readonly runId: string
  readonly turnId: string
  readonly epoch: number
  /** The highest `eventSeq`. */
  readonly head: number
  /** `eventSeq` of the first terminal event: the invocation is sealed. */
  readonly terminalSeq: number | null
  /** The chain over the events up to `ledgerDigestSeq`, which is below `head` where a foreign row was the last. */
  readonly ledgerDigest: string
  readonly ledgerDigestSeq: number
}

/** A row of the ledger as an append writes it. */
export interface LedgerRow extends EncodedEvent {
  readonly eventSeq: number
  readonly sessionSeq: number
  /** SHA-256 of the UTF-8 bytes of `json` in lower-case hex. */
  readonly payloadDigest: string
}

/** What a store reads for an append, inside the transaction that writes it. */
export interface AppendState {
  readonly head: InvocationHead
  /** The highest `sessionSeq` of the session, 0 where there is none. */
  readonly sessionHead: number
  /** The row of the invocation with this event id. */
  findRow(
    eventId: string,
  ): { readonly eventSeq: number; readonly sessionSeq: number; readonly json: string } | undefined
  /** The events of the invocation after `eventSeq`, in order; a digest that no one stored is taken from the bytes. */
  digestsAfter(eventSeq: number): Iterable<ChainedRow>
}

export interface AppendPlan {
  /** To insert in this order; empty when every event was stored before. */
  readonly rows: readonly LedgerRow[]
  /** One for each event that was given. */
  readonly appended: readonly AppendedEvent[]
  readonly head: InvocationHead
  readonly sessionHead: number
}

/** The head of an invocation that has no event. */
export function emptyHead(
  ids: Pick<InvocationHead, 'invocationId' | 'sessionId' | 'runId' | 'turnId'>,
  epoch: number,
): InvocationHead {
  const { invocationId, sessionId, runId, turnId } = ids
  const chain = { ledgerDigest: emptyLedgerDigest, ledgerDigestSeq: 0 }
  return { invocationId, sessionId, runId, turnId, epoch, head: 0, terminalSeq: null, ...chain }
}

/**
 * Decides an append: the rows to write and the heads after them, or an error, and then nothing is written.
 *
 * For each event, in this order: same id and same bytes → its stored seq; same id, other bytes → `EventIdConflictError`;
 * ids of another run, or an opening that is not event 1 → `InvalidEventError`; another epoch → `StaleOwnerError`;
 * sealed → `RunSealedError`.
 */
export function planAppend(
  sha256: Sha256,
  state: AppendState,
  epoch: number,
  events: readonly EncodedEvent[],
): AppendPlan {
  let { head, sessionHead } = state
  const rows = new Map<string, LedgerRow>()
  const appended: AppendedEvent[] = []
  for (const given of events) {
    const eventId = given.event.id
    const stored = rows.get(eventId) ?? state.findRow(eventId)
    if (stored !== undefined) {
      if (!isSame(given, stored.json)) throw new EventIdConflictError(eventId, head.invocationId)
      appended.push({ eventId, eventSeq: stored.eventSeq, sessionSeq: stored.sessionSeq, duplicate: true })
      continue
    }
    const eventSeq = head.head + 1
    checkBelongs(given.event, head, eventSeq)
    if (epoch !== head.epoch) throw new StaleOwnerError(head.runId, epoch, head.epoch)
    if (head.terminalSeq !== null) throw new RunSealedError(head.runId)
    const chain = chainBefore(sha256, state, head)
    const terminal = isTerminalEvent(given.event)
    const encoded = terminal ? stampTerminal(given, chain) : given
    const payloadDigest = sha256(encoded.json)
    sessionHead += 1
    const row = { ...encoded, eventSeq, sessionSeq: sessionHead, payloadDigest }
    rows.set(eventId, row)
    appended.push({ eventId, eventSeq, sessionSeq: sessionHead, duplicate: false })
    head = {
      ...head,
      head: eventSeq,
      terminalSeq: terminal ? eventSeq : null,
      ledgerDigest: chainLedgerDigest(sha256, chain, row),
      ledgerDigestSeq: eventSeq,
    }
  }
  return { rows: [...rows.values()], appended, head, sessionHead }
}

/** The store stamps a terminal event, so what was given is compared as it would be with the stored stamp. */
function isSame(given: EncodedEvent, storedJson: string): boolean {
  if (!isTerminalEvent(given.event)) return given.json === storedJson
  const digest = storedLedgerDigest(storedJson)
  return (digest === undefined ? given : stampTerminal(given, digest)).json === storedJson
}

function storedLedgerDigest(json: string): string | undefined {
  try {
    const digest: unknown = (JSON.parse(json) as RuntimeEvent).actions?.ledgerDigest
    return typeof digest === 'string' && sha256Pattern.test(digest) ? digest : undefined
  } catch {
    return undefined
  }
}

function checkBelongs(event: RuntimeEvent, head: InvocationHead, eventSeq: number): void {
  for (const field of ['sessionId', 'runId', 'turnId'] as const) {
    if (event[field] !== head[field]) throw new InvalidEventError(`/${field}`, `must be "${head[field]}"`)
  }
  if (isOpening(event) !== (eventSeq === 1)) {
    const problem = eventSeq === 1 ? 'must be invocation_opened, as it is event 1' : 'opens an invocation that is open'
    throw new InvalidEventError('/content/kind', problem)
  }
}

/** Foreign rows leave the chain behind the head: it takes them up before it goes on. */
function chainBefore(sha256: Sha256, state: AppendState, head: InvocationHead): string {
  if (head.ledgerDigestSeq === head.head) return head.ledgerDigest
  let chain = head.ledgerDigest
  for (const row of state.digestsAfter(head.ledgerDigestSeq)) chain = chainLedgerDigest(sha256, chain, row)
  return chain
}
