import type { Store } from './database.ts'

// All dates are text like 2025-03-09, in the time of the village; no time zones are stored.
export const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/London' })
export const now = () => new Date().toISOString()

export function addDays(day: string, count: number): string {
  // Noon, so that a change of the clocks does not move the day.
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / 86_400_000)
}

/** Open from Tuesday to Saturday, except on the days in closed_day. */
export function nextOpenDay(store: Store, day: string): string {
  for (let i = 0; i < 60; i++) {
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
    const closed = weekday === 0 || weekday === 1 || store.get('SELECT 1 FROM closed_day WHERE day = ?', day)
    if (!closed) return day
    day = addDays(day, 1)
  }
  throw new Error(`no open day within sixty days of ${day}`)
}
