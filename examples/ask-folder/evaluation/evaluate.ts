/**
 * Asks the offline model every question, each in a session of its own, and prints what became of it. Ends with 1 when fewer than
 * ten questions hit, or when one that cannot be answered is answered.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { judge, type Verdict } from './judge.ts'
import { makeLogs } from './make-logs.ts'
import { questions } from './questions.ts'

const leastHits = 10
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const environment = { ...process.env, OPENAI_API_KEY: '' }

const scratch = mkdtempSync(join(tmpdir(), 'daybook-evaluation-'))
try {
  cpSync(fileURLToPath(new URL('corpus', import.meta.url)), scratch, { recursive: true })
  makeLogs(join(scratch, 'logs'))
  process.exitCode = evaluate()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function evaluate(): number {
  const count: Record<Verdict, number> = { hit: 0, denied: 0, miss: 0, 'none found': 0, answered: 0 }
  for (const [index, question] of questions.entries()) {
    const folder = join(scratch, question.folder)
    const answer = ask(question.text, folder, join(scratch, `ledger-${index}`))
    const { verdict, expected, quoted } = judge(question, answer, (file) => readFileSync(join(folder, file), 'utf8'))
    count[verdict] += 1
    console.log(`${verdict.padEnd(10)}  ${question.folder.padEnd(5)}  ${question.text}`)
    console.log(`            expected ${expected.join(', ') || 'nothing'}`)
    console.log(`            quoted   ${quoted.join(', ') || 'nothing'}`)
  }
  const answerable = count.hit + count.denied + count.miss
  const unanswerable = count['none found'] + count.answered
  console.log(
    `\n${count.hit} of ${answerable} hit; ${count.denied} more quoted, but as no answer; at least ${leastHits} have to hit`,
  )
  console.log(`${count['none found']} of ${unanswerable} without an answer recognised`)
  return count.hit >= leastHits && count.answered === 0 ? 0 : 1
}

function ask(text: string, folder: string, ledger: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@daybook/source', main, text, '--dir', folder, '--ledger', ledger],
    { encoding: 'utf8', env: environment },
  )
  if (status !== 0) throw new Error(`the example ended with ${status} when asked "${text}":\n${stdout}${stderr}`)
  return stdout
}
