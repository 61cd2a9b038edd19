import type { Store } from './database.ts'

/** What the county's portal reads. The portal rejects files with a byte order mark. */
export function holdingsXml(store: Store): string {
  const rows = store.all('SELECT item.*, loan.id AS loan FROM item LEFT JOIN loan ON loan.item_id = item.id AND returned_on IS NULL')
  const items = rows.map((row) => `  <item code="${row.barcode}" mark="${row.shelf_mark}" in="${row.loan ? 'no' : 'yes'}"/>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<holdings branch="BRM-07">\n${items.join('\n')}\n</holdings>\n`
}

/** The yearly numbers: one line for each month, semicolons, because the county opens it in a spreadsheet. */
export function yearlyCsv(store: Store, year: number): string {
  const lines = ['month;loans;members']
  for (let month = 1; month <= 12; month++) {
    const prefix = `${year}-${String(month).padStart(2, '0')}%`
    const row = store.get('SELECT count(*) AS loans, count(DISTINCT member_id) AS members FROM loan WHERE lent_on LIKE ?', prefix)
    lines.push(`${month};${row.loans};${row.members}`)
  }
  return lines.join('\r\n')
}
