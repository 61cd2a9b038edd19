/** A question, and each line that holds its answer as `file:line` or `file:first-last`; null when the folder does not answer it. */
export interface Question {
  readonly question: string
  readonly answers: readonly string[] | null
}

/**
 * Right are `quoted`, a line that answers, and `refused`, where nothing does. Wrong are `missed`, which quotes other lines, `denied`,
 * which says that it found nothing, `nearest`, which says so and shows the line all the same, and `invented`.
 */
export type Verdict = 'quoted' | 'nearest' | 'missed' | 'denied' | 'refused' | 'invented'

/** Judges an answer by its quotes alone, which are lines that begin with `file:line: `. */
export function judge({ answers }: Question, answer: string): Verdict {
  const denies = /\bfound no answer\b/i.test(answer)
  if (answers === null) return denies ? 'refused' : 'invented'
  const expected = answers.map(placeOf)
  const isShown = [...answer.matchAll(/^[> ] (.+?):(\d+): /gm)].some(([, file, line]) =>
    expected.some((place) => place.file === file && place.first <= Number(line) && Number(line) <= place.last),
  )
  if (isShown) return denies ? 'nearest' : 'quoted'
  return denies ? 'denied' : 'missed'
}

/** Throws for what is no place. */
export function placeOf(text: string): { file: string; first: number; last: number } {
  const [, file, first, last = first] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? []
  if (file === undefined) throw new Error(`"${text}" is not file:line or file:first-last`)
  return { file, first: Number(first), last: Number(last) }
}
