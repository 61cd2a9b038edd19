import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export type MemberKind = 'adult' | 'child' | 'institution'
export type ItemKind = 'book' | 'magazine' | 'audiobook' | 'boardgame'

export interface Config {
  server: { port: number; host: string; sessionMinutes: number }
  database: { file: string; busyTimeoutMs: number }
  lending: { periods: Record<ItemKind, number>; maxItemsPerMember: number; maxRenewals: number }
  reservations: { holdDays: number; maxOpenPerMember: number }
  mail: { from: string; smtpHost: string; smtpPort: number; maxPerMinute: number }
  fees: { perDay: Record<MemberKind, number>; capPerItem: number; blockAbove: number }
}

/** Reads both files of the folder that STACKHOUSE_CONFIG names, or of ./config. */
export function loadConfig(folder = process.env.STACKHOUSE_CONFIG ?? './config'): Config {
  const main = parse(readFileSync(`${folder}/stackhouse.yaml`, 'utf8'))
  const fees = parse(readFileSync(`${folder}/fees.yaml`, 'utf8'))
  if (main.lending.periods.book < 1) throw new Error('lending.periods.book must be at least one day')
  return { ...main, fees }
}
