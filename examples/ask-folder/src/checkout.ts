import { resolve } from 'node:path'

/** The checkout that this file is part of. */
export const checkout: string = resolve(import.meta.dirname, '../../..')

/** Where the ledger is kept unless told. */
export const defaultLedger: string = resolve(checkout, '.daybook')
