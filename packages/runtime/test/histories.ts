/**
 * How many random histories a property of the runtime is held against. Few in `npm test`, where each costs a storage and
 * some turns; `.ci/campaigns/15-histories.sh` asks for a thousand.
 */
export const histories: number = Number(process.env.DAYBOOK_HISTORIES ?? 60)
