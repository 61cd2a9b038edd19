import { randomUUID } from 'node:crypto'
import type {
  AgentEventStore,
  AgentRunStore,
  Clock,
  NewId,
  RunOwner,
  RuntimeEventStore,
  SessionStore,
} from '@daybook/core'
import { checkLeaseMs, InvalidInputError, MixedStoragesError } from '@daybook/core'
import { BackendCache } from '../backends/backend-cache.ts'
import type { BackendRegistry } from '../backends/backend-registry.ts'
import { checkOptions, checkWhole, maxTimerMs } from '../check-arguments.ts'
import { AgentEventLog } from '../agent-event-log/agent-event-log.ts'
import type { AgentEventLogOptions } from '../agent-event-log/options.ts'
import type { DeliveryLogs } from '../ledger/turn-log.ts'
import { emitWarning } from '../emit-warning.ts'
import { currentOwner } from '../owner/process-identity.ts'
import { type ProcessTable, systemProcessTable } from '../owner/process-table.ts'
import { closeLog } from '../recovery/close-log.ts'
import type { RecoverySchedule } from '../recovery/recovery-schedule.ts'
import { RunRecovery } from '../recovery/run-recovery.ts'
import { SerialQueues } from '../timing/serial-queues.ts'
import { type StartTimer, startSystemTimer } from '../timing/timer.ts'
import { LiveRuns } from '../turn/live-runs.ts'
import { LiveTurns } from '../turn/live-turns.ts'
import { isSparedRun } from './spare-run.ts'

/** What a session manager is made of. The stores must come from one storage. */
export interface SessionManagerOptions {
  readonly store: SessionStore
  readonly runStore: AgentRunStore
  readonly runtimeEventStore: RuntimeEventStore
  readonly backends: BackendRegistry
  /**
   * Where the delivery logs of runs are kept: that of the same storage, whose transactions hold facts and rows. Default
   * none, and runs cannot be followed.
   */
  readonly agentEventStore?: AgentEventStore
  /** How the delivery logs are written and swept; what runs or can be answered is spared anyway. */
  readonly agentEventLog?: Pick<AgentEventLogOptions, 'cap' | 'capBytes' | 'maxAgeMs' | 'maxQueued' | 'maxIdleRuns'> & {
    /** Sweeps once when the manager is made, beside whatever else it does. Default false. */
    readonly sweepAtStart?: boolean
    /** So many ms after the last time this manager sweeps again, until `close`. Default never. */
    readonly sweepEveryMs?: number
  }
  /** Default `crypto.randomUUID`. */
  readonly newId?: NewId
  /** Default `Date.now`. */
  readonly now?: Clock
  /** How long a backend may take to end after a stop, to clean up and to be disposed of, in milliseconds. Default 5000. */
  readonly graceMs?: number
  /**
   * How long a turn stays this process's when it gives no sign of life, in milliseconds. Default 30,000. It renews three
   * times as often; a process that is stopped, or busy without a pause, for longer may lose its turns to another.
   */
  readonly leaseMs?: number
  /** How long `stopSession` waits for a turn of another process to end, in milliseconds. Default `leaseMs + graceMs`. */
  readonly stopWaitMs?: number
  /** When to end, without being asked, the turns that dead processes left. Default only when a session needs it. */
  readonly recovery?: RecoverySchedule
  /** How many backends are kept for later turns of their sessions. Default 100. */
  readonly maxIdleBackends?: number
  /** Told of failures that no caller is there to hear of, such as that of a `dispose`. Default `process.emitWarning`. */
  readonly warn?: (message: string, cause?: unknown) => void
  /** Default the system's timer, which does not keep the process alive. */
  readonly startTimer?: StartTimer
  /** Default what the system tells. */
  readonly processTable?: ProcessTable
}

/** The parts that the work on sessions and turns shares. */
export interface RuntimeContext {
  readonly store: SessionStore
  readonly runStore: AgentRunStore
  readonly runtimeEventStore: RuntimeEventStore
  readonly agentEvents: DeliveryLogs | undefined
  readonly registry: BackendRegistry
  readonly backends: BackendCache
  readonly recovery: RunRecovery
  readonly liveRuns: LiveRuns
  readonly liveTurns: LiveTurns
  /** By session: whoever answers its requests here. */
  readonly answering: SerialQueues
  readonly owner: RunOwner
  readonly newId: NewId
  readonly now: Clock
  readonly graceMs: number
  readonly leaseMs: number
  readonly stopWaitMs: number
  readonly startTimer: StartTimer
  readonly warn: (message: string, cause?: unknown) => void
}

/** Throws `MixedStoragesError` and `InvalidInputError`. */
export function runtimeContext(options: SessionManagerOptions): RuntimeContext {
  checkOptions({ options })
  const { agentEventLog, recovery } = options
  checkOptions({ agentEventLog, recovery })
  const { store, runStore, runtimeEventStore, backends: registry, processTable = systemProcessTable() } = options
  const { newId = randomUUID, now = Date.now, startTimer = startSystemTimer, warn = emitWarning } = options
  const graceMs = checkWhole('graceMs', options.graceMs ?? 5000, 0, maxTimerMs)
  const maxIdle = checkWhole('maxIdleBackends', options.maxIdleBackends ?? 100, 0)
  const leaseMs = checkLeaseMs(checkWhole('leaseMs', options.leaseMs ?? 30_000, 0, maxTimerMs))
  const stopWaitMs = checkWhole(
    'stopWaitMs',
    options.stopWaitMs ?? Math.min(leaseMs + graceMs, maxTimerMs),
    0,
    maxTimerMs,
  )
  checkWhole('recovery.everyMs', options.recovery?.everyMs ?? 1, 1, maxTimerMs)
  for (const [field, given] of Object.entries({ store, runStore, runtimeEventStore, backends: registry }))
    checkGiven(field, given)
  if (store.storage !== runStore.storage || store.storage !== runtimeEventStore.storage) throw new MixedStoragesError()
  const owner = currentOwner(processTable)
  const liveRuns = new LiveRuns({ runStore, runtimeEventStore, owner, leaseMs, startTimer, now, warn })
  const isDriven = (runId: string): boolean => liveRuns.has(runId)
  const agentEvents = deliveryLogs(options, isDriven, { now, startTimer, warn })
  return {
    store,
    runStore,
    runtimeEventStore,
    agentEvents,
    registry,
    backends: new BackendCache({ registry, maxIdle, graceMs, startTimer, warn }),
    recovery: new RunRecovery({
      runStore,
      runtimeEventStore,
      agentEvents,
      owner,
      processTable,
      leaseMs,
      isDriven,
      newId,
      now,
    }),
    liveRuns,
    liveTurns: new LiveTurns({ ms: graceMs, startTimer }),
    answering: new SerialQueues(),
    owner,
    newId,
    now,
    graceMs,
    leaseMs,
    stopWaitMs,
    startTimer,
    warn,
  }
}

function deliveryLogs(
  { agentEventStore: store, agentEventLog = {}, runStore, runtimeEventStore }: SessionManagerOptions,
  isDriven: (runId: string) => boolean,
  defaults: Required<Pick<AgentEventLogOptions, 'now' | 'startTimer' | 'warn'>>,
): DeliveryLogs | undefined {
  if (store === undefined) return undefined
  if (store.storage !== runStore.storage) throw new MixedStoragesError()
  const { sweepAtStart: atStart = false, sweepEveryMs: everyMs, ...options } = agentEventLog
  checkWhole('agentEventLog.sweepEveryMs', everyMs ?? 1, 1, maxTimerMs)
  const isSpared = (runId: string): Promise<boolean> => isSparedRun(runId, runStore, runtimeEventStore)
  const endIfOver = async (runId: string): Promise<void> => {
    const run = await runStore.readRun(runId)
    const isOver = run !== undefined && run.finishedAt !== null && !isDriven(runId)
    if (isOver) await closeLog(run, { runtimeEventStore, agentEvents, now: defaults.now })
  }
  const log = new AgentEventLog(store, { ...defaults, ...options, isSpared, endIfOver })
  const agentEvents: DeliveryLogs = { store, log }
  log.scheduleSweeps({ atStart, everyMs })
  return agentEvents
}

function checkGiven(field: string, given: unknown): void {
  if (typeof given === 'object' && given !== null) return
  const stores = 'the stores are `sessions`, `runs` and `events` of one storage'
  throw new InvalidInputError(field, field === 'backends' ? 'must be a BackendRegistry' : `is missing: ${stores}`)
}
