import { measure } from '../search/words.ts'

const amount = new RegExp(`${measure}|\\b(?:costs?|price|fee|rent|amount|number|temperature)\\b`, 'iu')
const single =
  /^(?:(?!\b(?:what|which|how|why)\b).)*\b(?:who|whom|whose|when|where)\b|\b(?:what|which) (?:time|day|date|month|year)\b/isu

/** Whether a question asks for an amount. */
export function asksForAmount(question: string): boolean {
  return amount.test(question)
}

/**
 * How much of a question a place must hold to be its answer, from 0 to 1. A person, a place, a time or an amount stands
 * near anything by chance, so it must hold more where one is asked for. Both numbers are fitted: the README says to what.
 */
export function neededShare(question: string): number {
  return single.test(question) || asksForAmount(question) ? 0.68 : 0.53
}
