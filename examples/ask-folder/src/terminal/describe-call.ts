import type { FolderList } from '../folder/list.ts'
import type { WrittenNote } from '../folder/note.ts'
import type { FileLines } from '../folder/read.ts'
import type { SearchResult } from '../search/search.ts'

/** A tool call in a few words, such as `read src/main.ts, from 3`. The arguments are what the model wrote. */
export function describeCall(toolName: string, args: unknown): string {
  const given = Object.entries(typeof args === 'object' && args !== null ? args : { input: args })
  const isSubject = (name: string): boolean => name === 'words' || name === 'path'
  const subject = given.flatMap(([name, value]) => (isSubject(name) ? [value].flat() : []))
  const details = given.flatMap(([name, value]) => (isSubject(name) ? [] : [`, ${name} ${JSON.stringify(value)}`]))
  return [toolName, ...subject].join(' ') + details.join('')
}

/** What a tool returned, in a few words. */
export function describeResult(toolName: string, outcome: string, result: unknown): string {
  if (outcome !== 'ok')
    return result === null ? outcome : `${outcome}: ${typeof result === 'string' ? result : JSON.stringify(result)}`
  const { entries, more = 0 } = Object(result) as Partial<FolderList>
  if (toolName === 'list' && entries !== undefined) return count(entries.length + more, 'entry', 'entries')
  const { from = 1, lines, of } = Object(result) as Partial<FileLines>
  if (toolName === 'read' && lines !== undefined) return `${count(lines.length, 'line')} from line ${from} of ${of}`
  const { places, files = 0 } = Object(result) as Partial<SearchResult>
  if (toolName === 'search' && places !== undefined)
    return `${count(places.length, 'place')} in ${count(files, 'file')}`
  const { path, written } = Object(result) as Partial<WrittenNote>
  if (toolName === 'note' && written !== undefined) return `${count(written, 'line')} written to ${path}`
  return String(JSON.stringify(result))
}

function count(many: number, one: string, more: string = `${one}s`): string {
  return `${many} ${many === 1 ? one : more}`
}
