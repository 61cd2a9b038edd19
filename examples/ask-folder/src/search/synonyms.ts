import { stem } from 'porter2'

/** Everyday words that stand for each other. */
const groups = `
  begin start commence; end finish stop close; cost price fee charge pay euro pound dollar; buy purchase order; sell sale
  send post mail transmit; deliver arrive receive; repair fix mend; replace change swap exchange renew; remove delete drop
  store save hold archive; fail error break crash fault problem wrong; forbid ban prohibit; allow permit
  must need require; lend borrow loan; lose miss; write author; make create build produce; rent hire; throw discard
  phone telephone mobile; photo picture image; ill sick; lamp light; reject refuse decline deny; maximum limit most
  minimum least; show display; reason cause because; choose select pick decide; leave depart; help assist support
  people person man; use consume; see observe; win winner first; big large size; fast speed; heavy weight; child kid
  car vehicle; answer reply respond; password passcode; job task work`

const stems = groups.split(/[;\n]/).map((group) => group.match(/\w+/g)?.map(stem) ?? [])

/** The stems of the words that may stand for the one with this stem in a text. */
export function synonymsOf(one: string): string[] {
  return stems.filter((group) => group.includes(one)).flatMap((group) => group.filter((other) => other !== one))
}
