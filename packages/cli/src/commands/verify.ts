import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { openSqlite } from '@daybook/storage'
import { describeReport } from '../describe-report.ts'
import { type Command, UsageError } from './command.ts'

export const verify: Command = {
  usage: 'FILE-or-FOLDER [--json]',
  summary: 'check a ledger against everything that it promises; the file stays as it is',
  async run(args, { out }) {
    const { path, json } = readArguments(args)
    const place = statSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? { root: path }
      : { root: dirname(path), fileName: basename(path) }
    const { root, ...file } = place
    const storage = openSqlite(root, { readOnly: true, ...file })
    try {
      const report = await storage.events.verifyStore()
      for (const line of json ? [JSON.stringify(report, undefined, 2)] : describeReport(report)) out(line)
      return report.ok ? 0 : 1
    } finally {
      storage.close()
    }
  },
}

function readArguments(args: readonly string[]): { path: string; json: boolean } {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [path, ...more] = positionals
  if (path === undefined || path === '' || more.length > 0) throw new UsageError('verify takes one file or folder')
  return { path, json: values.json }
}
