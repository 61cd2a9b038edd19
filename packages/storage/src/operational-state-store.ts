/** The file in the root folder that holds the ledger. */
export const OPERATIONAL_STATE_DATABASE_NAME: string = 'daybook.sqlite'
