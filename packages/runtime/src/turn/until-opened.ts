import { codeOf } from '../ledger/write.ts'

/** So often somebody else may be first before a caller hears of it: only a store that contradicts itself makes it so many. */
const maxRounds = 1000

/**
 * `decide` reads what is stored, refuses what cannot be, and resolves to what is to be written then; to undefined where
 * it has to read again. When somebody else wrote first, it decides anew.
 */
export async function untilOpened<T>(decide: () => Promise<(() => Promise<T>) | undefined>): Promise<T> {
  for (let round = 1; ; round++) {
    const open = await decide()
    try {
      if (open !== undefined) return await open()
      if (round === maxRounds) throw new Error('what is stored does not agree with itself')
    } catch (error) {
      if (round === maxRounds || !isOvertaken(error)) throw error
    }
  }
}

function isOvertaken(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'SESSION_BUSY' || code === 'TURN_NOT_NEWEST' || code === 'RUN_SEALED'
}
