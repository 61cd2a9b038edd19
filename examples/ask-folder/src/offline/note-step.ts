import { maxNoteCharacters } from '../folder/note.ts'
import { type Call, nextStep, offline, type Turn } from './next-step.ts'

/** "Note (save, write) … in (into, to, as) FILE", where a sentence or a part of it begins; FILE has a dot. */
const noting =
  /(?<=^|[.?!,;:]\s|\band\s)(?:please\s+)?(?:note|save|write)\b(?:\s+down\b)?(?<what>.{0,1000})\s(?:to|in|into|as)\s+["'`]?(?<path>[^\s"'`]+\.\w+)["'`]?/isu

/** The answer, or what to call first, where the question asks to write what was found into a file, too. */
export function nextStepOrNote(turn: Turn): string | Call[] {
  const wanted = noting.exec(turn.question)
  const { what = '', path = '' } = wanted?.groups ?? {}
  if (wanted === null) return nextStep(turn)
  const note = turn.results.find(({ toolName }) => toolName === 'note')
  if (note !== undefined)
    return note.output.type === 'json' ? `I wrote ${path}.` : `I did not write ${path}. ${String(note.output.value)}`
  // "Who asked? Write it to x.md": what is wanted stands around the order, or else in the question before.
  const rest = [wanted.input.slice(0, wanted.index), what, wanted.input.slice(wanted.index + wanted[0].length)]
  const question = rest
    .join(' ')
    .replace(/\s(?:it|this|that)(?:\s+down)?(?=\s)|\sand\s*[.!?]*\s*$/giu, '')
    .trim()
  const isSaid = /\p{L}/u.test(question)
  const asked = isSaid ? question : turn.earlier
  const step = nextStep({ ...turn, question: asked })
  if (typeof step !== 'string' || !step.startsWith(offline)) return step
  const content = `${asked}\n\n${step.slice(offline.length).replace(/^\n+/, '')}\n`.slice(0, maxNoteCharacters)
  return [{ toolName: 'note', input: { path, content } }]
}
