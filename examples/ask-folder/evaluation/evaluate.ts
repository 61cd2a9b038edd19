/**
 * Asks the offline model the questions of every set in `sets/`, or in the folder that is given, and prints what became of each.
 * `README.md` says what a set is.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { generateText, isStepCount } from 'ai'
import { type Folder, openFolder } from '../src/folder/folder.ts'
import { readLines } from '../src/folder/read.ts'
import { folderTools } from '../src/folder/tools.ts'
import { offlineModel } from '../src/offline/offline-model.ts'
import { judge, placeOf, type Question, type Verdict } from './judge.ts'

const sets = process.argv[2] ?? fileURLToPath(new URL('sets', import.meta.url))
const counts: Record<Verdict, number> = { quoted: 0, nearest: 0, missed: 0, denied: 0, refused: 0, invented: 0 }
const names = existsSync(sets) ? readdirSync(sets) : []
if (names.length === 0) throw new Error(`there is no set in ${sets}`)

for (const name of names) {
  const folder = await openFolder(join(sets, name, 'folder'), '/')
  const questions = JSON.parse(readFileSync(join(sets, name, 'questions.json'), 'utf8')) as Question[]
  for (const question of questions) {
    for (const place of question.answers ?? []) await checkPlace(folder, place)
    const { text } = await generateText({
      model: offlineModel,
      tools: folderTools(folder),
      prompt: question.question,
      stopWhen: isStepCount(6),
    })
    const verdict = judge(question, text)
    counts[verdict] += 1
    console.log(`${verdict.padEnd(9)} ${name}: ${question.question}`)
    if (verdict === 'quoted' || verdict === 'refused') continue
    console.log(`expected  ${question.answers?.join(', ') ?? 'no answer'}\n${text.replace(/^/gm, '          ')}`)
  }
}

const { quoted, nearest, missed, denied, refused, invented } = counts
console.log(`\n${quoted} of ${quoted + nearest + missed + denied} answers quote a line that holds the fact`)
console.log(`${nearest + denied} said that there is none; ${nearest} of them showed the line as the nearest`)
console.log(`${refused} of ${refused + invented} questions without an answer were recognised`)

/** Throws when there is no such place in the folder: the set is wrong then, not the answer. */
async function checkPlace(folder: Folder, text: string): Promise<void> {
  const { file, first, last } = placeOf(text)
  const { of } = await readLines(folder, file, 1, 1)
  if (first < 1 || first > last || last > of) throw new Error(`"${text}": ${file} has ${of} lines`)
}
