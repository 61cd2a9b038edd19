import { writeFileSync } from 'node:fs'
import nodemailer from 'nodemailer'
import type { Config } from './config.ts'
import { render } from './templates.ts'

let lastSent = 0

export async function sendMail(config: Config, to: string, template: string, values: Record<string, unknown>) {
  const pause = 60_000 / config.mail.maxPerMinute - (Date.now() - lastSent)
  if (pause > 0) await new Promise((done) => setTimeout(done, pause))
  lastSent = Date.now()
  const transport = nodemailer.createTransport({ host: config.mail.smtpHost, port: config.mail.smtpPort, secure: false })
  // Tried four times with growing pauses, then the letter is printed instead.
  for (let attempt = 1; attempt <= 4; attempt++) {
    try {
      await transport.sendMail({ from: config.mail.from, to, ...render(template, values) })
      return
    } catch {
      await new Promise((done) => setTimeout(done, attempt * 1500))
    }
  }
  printLetter(template, values)
}

/** The desk prints everything in this folder in the morning. */
export function printLetter(template: string, values: Record<string, unknown>) {
  writeFileSync(`/var/spool/stackhouse/letters/${values.id}-${template}.txt`, render(template, values).text)
}
