import type { Config } from './config.ts'
import type { Store } from './database.ts'
import { addDays, today } from './calendar.ts'
import { printLetter, sendMail } from './post.ts'

/** Days after the due date on which a reminder goes out. The last one is always a letter. */
const STEPS = [5, 16, 37]

export async function remind(store: Store, config: Config) {
  for (const [step, days] of STEPS.entries()) {
    const due = addDays(today(), -days)
    for (const loan of store.all('SELECT * FROM loan JOIN member ON member.id = member_id WHERE due_on = ? AND returned_on IS NULL', due)) {
      const last = step === STEPS.length - 1
      if (loan.email && !last) await sendMail(config, loan.email, `reminder-${step + 1}`, loan)
      else printLetter(`reminder-${step + 1}`, loan)
    }
  }
  await announce(store, config)
}

/** A friendly note two days before the due date, only by mail. */
async function announce(store: Store, config: Config) {
  const due = addDays(today(), 2)
  for (const loan of store.all('SELECT * FROM loan JOIN member ON member.id = member_id WHERE due_on = ? AND email IS NOT NULL', due)) {
    await sendMail(config, loan.email, 'due-soon', loan)
  }
}
