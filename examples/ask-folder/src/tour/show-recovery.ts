import { setTimeout } from 'node:timers/promises'
import type { Ledger } from '../session/ledger.ts'
import { drawFact } from '../terminal/facts.ts'
import type { Screen } from '../terminal/screen.ts'

/** Has the turns of dead processes ended, and shows of the newest turn which facts were there before and which came now. */
export async function showRecovery(ledger: Ledger, sessionId: string, screen: Screen): Promise<void> {
  const { events } = ledger.storage
  const before = await events.readSessionRuntimeEvents(sessionId)
  await recover(ledger, sessionId)
  const after = await events.readSessionRuntimeEvents(sessionId)
  const newest = after.filter((one) => one.event.invocationId === after.at(-1)?.event.invocationId)
  screen.line('recovered by this process, from the ledger alone:', 'dim')
  for (const one of newest) {
    const isKept = before.some(({ sessionSeq }) => sessionSeq === one.sessionSeq)
    screen.line(`  ${isKept ? 'kept  ' : 'closed'} ${drawFact(one, screen.columns - 9)}`, 'dim')
  }
}

/** At once where the system tells that the process is dead; elsewhere when its lease is over. */
async function recover({ manager }: Ledger, sessionId: string): Promise<void> {
  for (;;) {
    const { failed } = await manager.recover()
    for (const one of failed) if (one.sessionId === sessionId) throw one.error
    const invocations = await manager.listInvocations(sessionId)
    if (invocations.every((one) => one.terminalEvent !== undefined)) return
    await setTimeout(100)
  }
}
