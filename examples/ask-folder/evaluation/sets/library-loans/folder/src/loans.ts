import type { Config, ItemKind } from './config.ts'
import type { Store } from './database.ts'
import { addDays, nextOpenDay, today } from './calendar.ts'
import { owedBy, overdueFee } from './fees.ts'
import { isReserved, putOnShelf } from './reservations.ts'

export class RuleError extends Error {
  override name = 'RuleError'
}

export function lend(store: Store, config: Config, input: { card: string; barcode: string }) {
  return store.transaction(() => {
    const member = store.get('SELECT * FROM member WHERE card = ?', input.card)
    if (!member) throw new RuleError('This card is not known.')
    const item = store.get('SELECT * FROM item WHERE barcode = ?', input.barcode)
    if (!item) throw new RuleError('This barcode is not known.')
    if (item.shelf_mark.startsWith('LH')) throw new RuleError('Local history stays in the reading room.')
    if (owedBy(store, member.id) > config.fees.blockAbove) throw new RuleError('The member has to pay something first.')

    const open = store.get('SELECT count(*) AS n FROM loan WHERE member_id = ? AND returned_on IS NULL', member.id).n
    // Schools borrow by the box: there is no limit for them.
    if (member.kind !== 'institution' && open >= config.lending.maxItemsPerMember) throw new RuleError('The member has too many items.')

    const due = nextOpenDay(store, addDays(today(), config.lending.periods[item.kind as ItemKind]))
    store.run('INSERT INTO loan (item_id, member_id, lent_on, due_on) VALUES (?, ?, ?, ?)', item.id, member.id, today(), due)
    return { due }
  })
}

export function renew(store: Store, config: Config, id: number) {
  const loan = store.get('SELECT loan.*, item.kind, item.title_id FROM loan JOIN item ON item.id = item_id WHERE loan.id = ?', id)
  if (!loan || loan.returned_on) throw new RuleError('This loan is not open.')
  if (loan.renewals >= config.lending.maxRenewals) throw new RuleError('This loan cannot be renewed again.')
  if (isReserved(store, loan.title_id)) throw new RuleError('Somebody is waiting for this title.')
  const due = nextOpenDay(store, addDays(today(), config.lending.periods[loan.kind as ItemKind]))
  store.run('UPDATE loan SET due_on = ?, renewals = renewals + 1 WHERE id = ?', due, id)
  return { due }
}

export function takeBack(store: Store, config: Config, barcode: string) {
  return store.transaction(() => {
    const loan = store.get(
      'SELECT loan.*, item.title_id, member.kind FROM loan JOIN item ON item.id = item_id JOIN member ON member.id = member_id WHERE barcode = ? AND returned_on IS NULL',
      barcode,
    )
    // The box at the door is emptied in the morning: what lies in it counts as returned the evening before.
    if (!loan) return { note: 'This item was not on loan. Put it on its shelf.' }
    store.run('UPDATE loan SET returned_on = ? WHERE id = ?', today(), loan.id)
    return { fee: overdueFee(config, loan.kind, loan.due_on, today()), reservedFor: putOnShelf(store, config, loan.item_id, loan.title_id) }
  })
}
