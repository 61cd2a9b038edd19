import type { OpenedStorage } from '@daybook/core'

/** A process as far as a storage sees it: it dies at one of its writes, and nothing of it is written from then on. */
export interface Life {
  /** How many writes it has left before the one that it dies at. */
  writesLeft: number
  /** The write that it dies at is kept, and it never learns of that. */
  keepsLast: boolean
  readonly died: Promise<void>
  readonly die: () => void
  readonly isDead: () => boolean
}

export function newLife(): Life {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isDead = false
  const die = (): void => {
    isDead = true
    resolve()
  }
  return { writesLeft: Infinity, keepsLast: false, died: promise, die, isDead: () => isDead }
}

/** A delivery log is written by `append`, too: of rows without a fact. */
const writes: ReadonlySet<PropertyKey> = new Set(['openRun', 'claimRun', 'requestStop', 'append', 'appendAnswers'])

/** The storage as a process has it that dies. */
export function mortalStorage(storage: OpenedStorage, life: Life): OpenedStorage {
  const { runs, events, agentEvents } = storage
  return {
    ...storage,
    runs: mortal(runs, life),
    events: mortal(events, life),
    agentEvents: mortal(agentEvents, life),
  }
}

function mortal<Store extends object>(store: Store, life: Life): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (!writes.has(name) || typeof member !== 'function') return member
      return async (...args: unknown[]): Promise<unknown> => {
        if (!life.isDead() && life.writesLeft-- > 0) return Reflect.apply(member, target, args) as unknown
        if (!life.isDead() && life.keepsLast)
          await (Reflect.apply(member, target, args) as Promise<unknown>).catch(() => {})
        life.die()
        return new Promise(() => {})
      }
    },
  })
}
